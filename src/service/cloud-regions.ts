// The addresses of the hosted service. A key is valid in one region only.

export interface CloudRegion {
  name: string;
  baseUrl: string;
}

export const cloudRegions: readonly CloudRegion[] = [
  { name: 'Novu Cloud, US', baseUrl: 'https://api.novu.co' },
  { name: 'Novu Cloud, EU', baseUrl: 'https://eu.api.novu.co' },
];

/** The region with this address and the other one; undefined for any other service. */
export function findRegions(baseUrl: string): { own: CloudRegion; other: CloudRegion } | undefined {
  const own = cloudRegions.find((region) => region.baseUrl === baseUrl);
  const other = cloudRegions.find((region) => region !== own);
  return own && other && { own, other };
}
