import { certificateState, certificateStates, daysLeft } from '@ordinator/model/areas/signatures/certificate'
import { counted } from '@ordinator/model/format'
import { formatDate } from '#kit/clock.ts'
import { Dot, HStack } from '#kit/Stacks.tsx'
import { useNow } from '#kit/useNow.ts'
import { Fine } from '#kit/Words.tsx'

const colors = {
  valid: 'var(--mantine-color-teal-6)',
  soon: 'var(--mantine-color-yellow-6)',
  ended: 'var(--mantine-color-red-6)',
  early: 'var(--mantine-color-gray-5)',
}
const DAYS = ['день', 'дня', 'дней'] as const

/** Validity of a certificate, and time left. */
export function CertificateState({ dateFrom, dateTo }: { dateFrom: string; dateTo: string }) {
  const now = useNow(60_000)
  const state = certificateState({ dateFrom, dateTo }, now)
  const left = daysLeft(dateTo, now)
  return (
    <HStack component="span" gap={6} display="inline-flex" className="nowrap">
      <Dot color={colors[state]} />
      <span className="tabular">{formatDate(dateTo)}</span>
      <Fine>
        {state === 'ended' || state === 'early' ? certificateStates[state].toLowerCase() : counted(left, DAYS)}
      </Fine>
    </HStack>
  )
}
