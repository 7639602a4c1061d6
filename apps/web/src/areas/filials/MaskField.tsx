import { Button, Text } from '@mantine/core'
import { maskError, maskParts, numberText, type Reset, sequenceErrors } from '@ordinator/model/areas/filials/sequence'
import { useFormContext, useWatch } from 'react-hook-form'
import { today } from '#kit/clock.ts'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RecordField } from '#records/form/RecordField.tsx'

/** Mask of numbers, with placeholders and a sample. */
export function MaskField() {
  const form = useFormContext()
  const [mask, reset, perFilial] = useWatch({ name: ['mask', 'reset', 'perFilial'] }) as [
    string | null,
    Reset | null,
    boolean | null,
  ]
  const add = (part: string) => form.setValue('mask', `${form.getValues('mask') ?? ''}${part}`, { shouldDirty: true })
  return (
    <div>
      <RecordField name="mask" />
      <HStack wrap gap={4} mt={8}>
        {Object.entries(maskParts).map(([part, words]) => (
          <Button
            key={part}
            size="compact-xs"
            variant="default"
            title={`Добавить: ${words}`}
            aria-label={`Добавить ${part}: ${words}`}
            onClick={() => add(part)}
          >
            {part}
          </Button>
        ))}
      </HStack>
      <Preview mask={mask ?? ''} reset={reset ?? 'never'} perFilial={perFilial === true} />
    </div>
  )
}

function Preview({ mask, reset, perFilial }: { mask: string; reset: Reset; perFilial: boolean }) {
  if (mask.trim() === '') return <Fine mt={8}>Части маски заменит программа, остальное останется как есть</Fine>
  const wrong = maskError(mask) ?? sequenceErrors({ mask, reset, perFilial })[0]?.message
  return (
    <Text mt={8} role="status" c={wrong ? 'var(--ord-warning)' : undefined} className="breaks">
      {wrong ?? (
        <>
          Например: <strong className="tabular">{numberText(mask, { filial: 'ЛЕН', day: today(), number: 1 })}</strong>
        </>
      )}
    </Text>
  )
}
