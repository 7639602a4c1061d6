import { Checkbox, Input, Select } from '@mantine/core'
import { ICD10 } from '@ordinator/model/areas/examinations/dictionary'
import { isTerm } from '@ordinator/model/areas/examinations/formValues'
import { useId, useMemo } from 'react'
import { loadTerms, optionOfTerm, termOf } from '#areas/dictionaries/index.ts'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { HStack } from '#kit/Stacks.tsx'
import classes from './Editor.module.css'
import type { FieldProps } from './fieldProps.ts'

export const ChoiceField = ({ field, value, set, frame }: FieldProps) => (
  <Select
    {...frame}
    data={field.options}
    value={typeof value === 'string' ? value : null}
    onChange={set}
    searchable
    clearable={!frame.readOnly}
    nothingFoundMessage="Совпадений не найдено"
  />
)

export const MultiField = ({ field, value, set, frame }: FieldProps) => (
  <Checkbox.Group
    {...frame}
    value={Array.isArray(value) ? (value as string[]) : []}
    onChange={(next) => set(next.length ? next : null)}
  >
    <HStack gap="6px 16px" wrap mt={4}>
      {field.options?.map((option) => (
        <Checkbox key={option} value={option} label={option} />
      ))}
    </HStack>
  </Checkbox.Group>
)

/** Steps from one end to the other, operated by the arrows. */
export function ScaleField({ field, value, set, frame }: FieldProps) {
  const id = useId()
  const { min = 0, max = 10 } = field
  const steps = Array.from({ length: max - min + 1 }, (_, at) => min + at)
  const chosen = typeof value === 'number' ? value : undefined
  return (
    <Input.Wrapper {...frame} labelElement="div" labelProps={{ id }}>
      <section
        className={classes.scale}
        aria-labelledby={id}
        onKeyDown={(event) => {
          const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
          if (!step || frame.readOnly) return
          event.preventDefault()
          const next = Math.min(max, Math.max(min, (chosen ?? min - step) + step))
          set(next)
          event.currentTarget.querySelectorAll<HTMLElement>('button')[next - min]?.focus()
        }}
      >
        {steps.map((step) => (
          <button
            key={step}
            type="button"
            aria-pressed={step === chosen}
            tabIndex={step === (chosen ?? min) ? 0 : -1}
            className={classes.step}
            disabled={frame.readOnly}
            onClick={() => set(step === chosen ? null : step)}
          >
            {step}
          </button>
        ))}
      </section>
    </Input.Wrapper>
  )
}

/** A term of a clinic's dictionary, or of МКБ-10. */
export function TermField({ field, value, set, frame }: FieldProps) {
  const code = field.type === 'icd10' ? ICD10 : (field.dictionary ?? '')
  const load = useMemo(() => loadTerms(code), [code])
  return (
    <AjaxSelect<string>
      {...frame}
      disabled={frame.readOnly}
      load={load}
      from={field.type === 'icd10' ? 2 : 0}
      value={isTerm(value) ? optionOfTerm(value) : null}
      onChange={(option) => set(option && termOf(option))}
      placeholder={field.type === 'icd10' ? 'Код или слова: J06, бронхит' : 'Начните вводить название'}
    />
  )
}
