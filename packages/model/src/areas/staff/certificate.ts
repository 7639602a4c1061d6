import { formatDay } from '../../format.ts'

/** Days before expiry from which a renewal is due. */
export const CERTIFICATE_SOON_DAYS = 60

const DAY_MS = 86_400_000

/**
 * Warning about a certificate; undefined while it is valid for long, or open-ended.
 * @param to its last day, YYYY-MM-DD @param today of the clinic, YYYY-MM-DD
 */
export function certificateWarning(
  to: string | null | undefined,
  today: string,
): { isOver: boolean; text: string } | undefined {
  if (!to) return undefined
  if (to < today) return { isOver: true, text: `Срок сертификата вышел ${formatDay(to)}` }
  const left = Math.round((Date.parse(to) - Date.parse(today)) / DAY_MS)
  return left > CERTIFICATE_SOON_DAYS ? undefined : { isOver: false, text: `Сертификат действует до ${formatDay(to)}` }
}
