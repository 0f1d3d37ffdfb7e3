/** How a machine is paid for. */
export type PurchaseOption = 'on-demand' | 'spot';

/** One pool of machines: they share a price and run out together. */
export interface Offer {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: PurchaseOption;
}
