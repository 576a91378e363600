/** `2.1 %`, `45 %`: a share, in two digits; beyond 1,000 % nobody asks by how much. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 1000) return "more than 1,000 %";
  return `${Math.abs(percent) < 9.95 ? percent.toFixed(1) : percent.toFixed(0)} %`;
}
