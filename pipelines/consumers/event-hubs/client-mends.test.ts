import { Receiver } from 'rhea-promise';
import { beforeAll, describe, expect, test } from 'vitest';
import { mendClient } from './client-mends.ts';

/** A receiver of the library on a link that only counts credit. */
function receiver(source: { address: string } | undefined) {
  const link = {
    credit: 0,
    source,
    add_credit(credit: number) {
      link.credit += credit;
    },
  };
  return { link, receiver: Object.assign(Object.create(Receiver.prototype) as Receiver, { _link: link }) };
}

beforeAll(() => {
  mendClient();
  mendClient();
});

describe('the client, mended', () => {
  test('grants a link what it lacks, and never more', () => {
    const { link, receiver: mended } = receiver({ address: 'a' });
    for (let cycle = 0; cycle < 10; cycle += 1) mended.addCredit(500);
    expect(link.credit).toBe(500);
    link.credit = 120;
    mended.addCredit(500);
    expect(link.credit).toBe(500);
    mended.addCredit(200);
    expect(link.credit).toBe(500);
  });

  test('can ask a closed link for its address', () => {
    expect(receiver({ address: 'hub/$cbs' }).receiver.address).toBe('hub/$cbs');
    expect(receiver(undefined).receiver.address).toBe('');
  });
});
