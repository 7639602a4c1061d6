import { TextInput } from '@mantine/core'
import { CERTIFICATE_NUMBER, Certificate, certificateStates } from '@ordinator/model/areas/money/certificate'
import { formatDay, formatMoney } from '@ordinator/model/format'
import type { ReactNode } from 'react'
import { useList } from '#records/reads.ts'

/** Maximum search results for a typed number. */
const ALIKE = 20

/** The certificate of a typed number; undefined: not found yet. */
export function useCertificate(number: string) {
  const typed = number.trim()
  const found = useList(
    Certificate,
    { filter: { number: { ilike: typed } }, limit: ALIKE },
    { enabled: typed.length >= CERTIFICATE_NUMBER.min, forbidden: 'silent' },
  )
  return found.data?.items.find(({ number: one }) => one.toLowerCase() === typed.toLowerCase())
}

interface Props {
  label: string
  value: string
  error: ReactNode
  onChange: (number: string) => void
}

/** Number of a certificate with its balance. */
export function CertificateNumber({ label, value, error, onChange }: Props) {
  const found = useCertificate(value)
  return (
    <TextInput
      label={label}
      required
      autoComplete="off"
      data-autofocus
      maxLength={CERTIFICATE_NUMBER.max}
      value={value}
      error={error}
      description={
        found
          ? `Осталось ${formatMoney(found.rest)} · ${
              found.state === 'active' ? `по ${formatDay(found.dateTo)}` : certificateStates[found.state].toLowerCase()
            }`
          : 'Как напечатан: программа покажет, сколько осталось'
      }
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
