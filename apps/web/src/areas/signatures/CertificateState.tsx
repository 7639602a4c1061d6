import { certificateState, certificateStates, daysLeft } from '@ordinator/model/areas/signatures/certificate'
import { counted } from '@ordinator/model/format'
import { formatDate } from '#kit/clock.ts'
import { DotLine } from '#kit/statusMark.tsx'
import { useNow } from '#kit/useNow.ts'
import { Fine } from '#kit/Words.tsx'

const shades = { valid: 'teal-6', soon: 'yellow-6', ended: 'red-6', early: 'gray-5' } as const
const DAYS = ['день', 'дня', 'дней'] as const

/** Validity of a certificate, and time left. */
export function CertificateState({ dateFrom, dateTo }: { dateFrom: string; dateTo: string }) {
  const now = useNow(60_000)
  const state = certificateState({ dateFrom, dateTo }, now)
  const left = daysLeft(dateTo, now)
  return (
    <DotLine shade={shades[state]}>
      <span className="tabular">{formatDate(dateTo)}</span>
      <Fine>
        {state === 'ended' || state === 'early' ? certificateStates[state].toLowerCase() : counted(left, DAYS)}
      </Fine>
    </DotLine>
  )
}
