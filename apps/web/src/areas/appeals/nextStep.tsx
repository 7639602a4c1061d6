import { SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DateTimeField } from '#kit/DateTimeField.tsx'

/** A conversation ends with an outcome, or with a dated next step. */
export type Way = 'outcome' | 'next'

interface Before {
  nextStep: string | null
  dateNextStep: string | null
}

/** State of the next step fields while typing. */
export function useNextStep(before: Before | undefined, first: Way) {
  const [way, setWay] = useState(first)
  const [text, setText] = useState(before?.nextStep ?? '')
  const [date, setDate] = useState(before?.dateNextStep ?? null)
  return {
    way,
    setWay,
    text,
    setText,
    date,
    setDate,
    faults: { nextStep: !text.trim() && 'Что будет сделано?', dateNextStep: !date && 'Когда это сделать?' },
    /** Valid only without errors. */
    value: { nextStep: text.trim(), dateNextStep: date as string },
  }
}

type Step = ReturnType<typeof useNextStep>

export function WayField({ step, label }: { step: Step; label: string }) {
  return (
    <SegmentedControl
      fullWidth
      aria-label={label}
      data={[
        { value: 'outcome', label: 'Итог' },
        { value: 'next', label: 'Следующий шаг' },
      ]}
      value={step.way}
      onChange={(value) => step.setWay(value as Way)}
    />
  )
}

interface FieldsProps {
  step: Step
  /** Errors shown by the dialog at the fields. */
  errors: Readonly<Record<'nextStep' | 'dateNextStep', string | undefined>>
  /** Default time of a chosen day. */
  defaultTime: string
}

export function NextStepFields({ step, errors, defaultTime }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Что будет сделано"
        withAsterisk
        data-autofocus
        maxLength={255}
        value={step.text}
        error={errors.nextStep}
        onChange={(event) => step.setText(event.currentTarget.value)}
      />
      <DateTimeField
        label="Когда"
        required
        defaultTime={defaultTime}
        value={step.date}
        error={errors.dateNextStep}
        onChange={step.setDate}
      />
    </>
  )
}
