import { Textarea } from '@mantine/core'
import type { FormField } from '@ordinator/model/areas/examinations/form'
import { useState } from 'react'
import classes from '../FormEditor.module.css'
import type { FieldProps } from './props.ts'

interface LinesProps {
  label: string
  description: string
  lines: readonly string[]
  readOnly: boolean
  error?: string
  onChange: (lines: string[]) => void
}

/** List typed one per line; empty lines are allowed while typing. */
export function LinesInput({ label, description, lines, readOnly, error, onChange }: LinesProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <Textarea
      className={classes.wide}
      label={label}
      description={description}
      autosize
      minRows={2}
      maxRows={10}
      readOnly={readOnly}
      error={error}
      value={typed ?? lines.join('\n')}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onChange([
          ...new Set(
            event.currentTarget.value
              .split('\n')
              .map((line) => line.trim())
              .filter(Boolean),
          ),
        ])
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

/** Options, with points for formulas: «Да = 2». */
export function OptionsInput({
  field,
  readOnly,
  onChange,
}: Omit<FieldProps, 'fields' | 'onChange'> & { onChange: (patch: Partial<FormField>) => void }) {
  const { options = [], points } = field
  const lines = options.map((option, at) => (points ? `${option} = ${String(points[at]).replace('.', ',')}` : option))
  return (
    <LinesInput
      label="Варианты"
      description="По одному в строке. Чтобы считать баллы в формулах, напишите их через «=»: «Курит = 2»"
      lines={lines}
      readOnly={readOnly}
      error={options.length ? undefined : 'Нужен хотя бы один вариант'}
      onChange={(written) => {
        const read = written.map(optionOf)
        const counted = read.some(({ point }) => point !== undefined)
        onChange({
          options: read.map(({ option }) => option),
          points: counted ? read.map(({ point }) => point ?? 0) : undefined,
        })
      }}
    />
  )
}

function optionOf(line: string): { option: string; point: number | undefined } {
  const found = /^(.+?)\s*=\s*(-?\d+(?:[.,]\d+)?)$/.exec(line)
  return found
    ? { option: (found[1] as string).trim(), point: Number((found[2] as string).replace(',', '.')) }
    : { option: line, point: undefined }
}
