import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

const info = { title: 'Health data and lab testing service', version: '' };

/** The browser itself refuses everything that is not from this server. The library has styles in its elements. */
const contentSecurityPolicy = {
  'default-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'style-src': ["'self'", "'unsafe-inline'"],
  'frame-ancestors': ["'none'"],
};

/** Hides controls without a choice, and marks deprecated operations with a word, not only with a line through them. */
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
 * `describe` takes a few 100 ms, so only the first request for the document calls it.
 */
export async function serveDocument(app: FastifyInstance, describe: () => object): Promise<void> {
  let described: object | undefined;
  const document = (): object => {
    described ??= describe();
    return described;
  };
  app.get('/openapi.json', (_, reply) => reply.send(document()));
  // The page needs this plugin, but not its own document.
  await app.register(swagger, { mode: 'static', specification: { document: { openapi: '3.1.0', info, paths: {} } } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    transformSpecification: document,
    transformSpecificationClone: false,
    staticCSP: contentSecurityPolicy,
    theme: { title: info.title, css: [{ filename: 'page.css', content: styles }] },
    uiConfig: {
      // Without the bar at the top, which asks for the address of another document.
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
