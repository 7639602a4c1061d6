const PAIR = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/

/** Parses coordinates as copied from maps: «53.195878, 50.100202». */
export function pointOf(text: string): { latitude: number; longitude: number } | undefined {
  const [, first, second] = PAIR.exec(text) ?? []
  if (first === undefined || second === undefined) return undefined
  const [latitude, longitude] = [first, second].map((one) => Number(Number(one).toFixed(6))) as [number, number]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}
