import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  value: string
  error?: ReactNode
  onChange: (reason: string) => void
}

/** Reason of a money operation, for the journal. */
export const ReasonField = ({ onChange, ...field }: Props) => (
  <TextInput
    label="Причина"
    required
    maxLength={500}
    {...field}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
