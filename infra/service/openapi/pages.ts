import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { TITLE } from './openapi-document.ts';

/** Makes the browser load from this server only. Inline styles are allowed because the library uses them. */
const contentSecurityPolicy = {
  'default-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'style-src': ["'self'", "'unsafe-inline'"],
  'frame-ancestors': ["'none'"],
};

/** Hides controls that offer no choice, and labels deprecated operations, which the library only strikes through. */
const styles = `
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .opblock-deprecated .opblock-summary-description::before {
  content: 'deprecated';
  margin-right: 8px;
  padding: 1px 6px;
  border-radius: 4px;
  background: #6b7280;
  color: #fff;
  font-size: 11px;
}
.swagger-ui .opblock.opblock-deprecated { opacity: 0.85; }
.swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #6b7280; }
.swagger-ui .response-control-media-type, .swagger-ui .response-col_links { display: none; }
.swagger-ui .response-controls { padding-top: 0; }
`;

/**
 * Serves an OpenAPI document at `/openapi.json`, and a readable page of it at `/docs`. Neither needs a key.
 * `describe` takes a few hundred milliseconds, so it runs once, at the first request for the document.
 */
export async function serveDocument(app: FastifyInstance, describe: () => object): Promise<void> {
  let described: object | undefined;
  const document = (): object => {
    described ??= describe();
    return described;
  };
  app.get('/openapi.json', (_, reply) => reply.send(document()));
  // The page needs this plugin, but not its own document.
  await app.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0', info: { title: TITLE, version: '' }, paths: {} } },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    transformSpecification: document,
    transformSpecificationClone: false,
    staticCSP: contentSecurityPolicy,
    theme: { title: TITLE, css: [{ filename: 'page.css', content: styles }] },
    uiConfig: {
      // This layout omits the top bar, which asks for the address of another document.
      layout: 'BaseLayout',
      deepLinking: true,
      docExpansion: 'list',
      filter: true,
      tryItOutEnabled: true,
      persistAuthorization: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
      defaultModelExpandDepth: 3,
    },
  });
}
