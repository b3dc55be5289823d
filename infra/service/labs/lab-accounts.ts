import type { LabTest } from './lab-tests.ts';
import { QUEST, USSL } from './laboratories.ts';
import type { Marker } from './marker.ts';

/** A contract with a lab, which decides what can be ordered. */
export interface LabAccount {
  readonly id: string;
  /** The lab's number of the account. Requests may have it in place of the id. */
  readonly number: number;
  readonly lab_id: number;
  readonly name: string;
  /** Ids of the markers of the lab that the account does not offer. */
  readonly lacks: ReadonlySet<number>;
}

export const labAccounts: readonly LabAccount[] = [
  { id: '5b0c8c1e-6d0f-4c55-9a53-0f6f3a7d1001', number: 1001, lab_id: QUEST, name: 'Quest, all markers', lacks: new Set() },
  { id: '5b0c8c1e-6d0f-4c55-9a53-0f6f3a7d1002', number: 1002, lab_id: USSL, name: 'USSL, all markers', lacks: new Set() },
  {
    ...{
      id: '5b0c8c1e-6d0f-4c55-9a53-0f6f3a7d1003',
      number: 1003,
      lab_id: QUEST,
      name: 'Quest, without hormones and infections',
    },
    lacks: new Set([338, 339, 340, 341, 342, 343, 344, 345, 346, 369, 370, 380, 381, 382, 383, 384, 385, 386]),
  },
];

/** Finds an account by its id or by its number. */
export function accountOf(id: string | number): LabAccount | undefined {
  return labAccounts.find((account) => account.id === id || account.number === id);
}

export function offersMarker({ lab_id, lacks }: LabAccount, marker: Marker): boolean {
  return marker.lab_id === lab_id && !lacks.has(marker.id);
}

/** An account offers a lab test if it offers all of its markers. */
export function offersLabTest(account: LabAccount, { markers }: LabTest): boolean {
  return markers.every((marker) => offersMarker(account, marker));
}
