/** Why teams and patients cancel appointments. The ids stay the same, so that programs can contain them. */
export const cancellationReasons = [
  { id: '3f0c2d61-8a4e-4b57-9c1d-5e6f7a8b0001', name: 'The patient has no time', is_refundable: true },
  { id: '3f0c2d61-8a4e-4b57-9c1d-5e6f7a8b0002', name: 'The patient is ill', is_refundable: true },
  { id: '3f0c2d61-8a4e-4b57-9c1d-5e6f7a8b0003', name: 'The patient no longer wants the test', is_refundable: true },
  { id: '3f0c2d61-8a4e-4b57-9c1d-5e6f7a8b0004', name: 'The place cannot be reached', is_refundable: false },
  { id: '3f0c2d61-8a4e-4b57-9c1d-5e6f7a8b0005', name: 'Another reason', is_refundable: false },
] as const;

export const isReason = (id: string): boolean => cancellationReasons.some((reason) => reason.id === id);
