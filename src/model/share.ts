/**
 * `2.1 %`, `45 %`: a share in two digits, or with so many decimals; beyond 1,000 % nobody asks by how much.
 */
export function formatShare(share: number, decimals?: number): string {
  const percent = share * 100;
  if (percent > 1000) return "more than 1,000 %";
  return `${percent.toFixed(decimals ?? (Math.abs(percent) < 9.95 ? 1 : 0))} %`;
}
