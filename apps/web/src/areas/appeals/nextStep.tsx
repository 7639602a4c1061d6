import { SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DateTimeField } from '#kit/DateTimeField.tsx'

/** A talk or an appeal ends with an outcome, or goes on with a step that has its day. */
export type Way = 'outcome' | 'next'

interface Before {
  nextStep: string | null
  dateNextStep: string | null
}

/** What is known of the next step while it is written. */
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
    /** Once it has no faults. */
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
  /** As the dialog says them at the fields that have asked. */
  errors: Readonly<Record<'nextStep' | 'dateNextStep', string | undefined>>
  /** Hours and minutes of a day that is chosen without them. */
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
