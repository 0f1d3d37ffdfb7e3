import type { Subnet } from '../account.ts';

/** AWS keeps the first four addresses and the last one of every subnet. */
const reservedAtStart = 4;
const reservedInAll = 5;

interface Pool {
  readonly first: number;
  readonly size: number;
  readonly taken: Set<number>;
  next: number;
}

/** Hands out private addresses, the same ones in the same order every time. */
export class AddressBook {
  readonly #pools = new Map<string, Pool>();

  /**
   * Takes an address, or answers undefined when the subnet has none left. Goes round the subnet
   * and does not reuse the lowest free one, so that a name of a late node is not given at once
   * to a new one.
   */
  take(subnet: Subnet): string | undefined {
    const pool = this.#poolOf(subnet);
    if (pool.taken.size >= pool.size) return undefined;
    while (pool.taken.has(pool.next)) pool.next = (pool.next + 1) % pool.size;
    const offset = pool.next;
    pool.taken.add(offset);
    pool.next = (offset + 1) % pool.size;
    return addressText(pool.first + offset);
  }

  release(subnet: Subnet, address: string): void {
    const pool = this.#poolOf(subnet);
    pool.taken.delete(addressNumber(address) - pool.first);
  }

  available(subnet: Subnet): number {
    const pool = this.#poolOf(subnet);
    return pool.size - pool.taken.size;
  }

  #poolOf(subnet: Subnet): Pool {
    const known = this.#pools.get(subnet.id);
    if (known !== undefined) return known;
    const [base = '', bits = ''] = subnet.cidr.split('/');
    const pool = {
      first: addressNumber(base) + reservedAtStart,
      size: 2 ** (32 - Number(bits)) - reservedInAll,
      taken: new Set<number>(),
      next: 0,
    };
    this.#pools.set(subnet.id, pool);
    return pool;
  }
}

function addressNumber(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function addressText(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}

/** `ip-10-0-1-23.ec2.internal`; outside us-east-1 the domain names the region. */
export function privateDnsName(address: string, region: string): string {
  const domain = region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`;
  return `ip-${address.replaceAll('.', '-')}.${domain}`;
}
