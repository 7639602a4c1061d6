import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { Text } from '@mantine/core'
import { counted, formatSpan } from '@ordinator/model/format'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { scrollerOf } from '#kit/scrollerOf.ts'
import { Muted } from '#kit/Words.tsx'
import { stepForms } from '../words.ts'
import { type DraftErrors, minutesOf, type StepDraft } from './draft.ts'
import { StepEditor } from './StepEditor.tsx'
import type { DraftActs } from './useRegulationDraft.ts'

interface Props {
  stages: readonly StepDraft[]
  open: ReadonlySet<number>
  errors: DraftErrors
  acts: DraftActs
}

/** Ordered steps: moved by handles, keys and menus; opened to edit. */
export function StepList({ stages, open, errors, acts }: Props) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const element = scrollerOf(list.current)
    if (element)
      return autoScrollForElements({ element, canScroll: ({ source }) => source.data.sortable === 'regulation-steps' })
  }, [])
  const keys = stages.map(({ key }) => key)
  const all = stages.length > 0 && keys.every((key) => open.has(key))
  const minutes = minutesOf(stages)
  return (
    <VStack aria-labelledby="regulation-steps" component="section" gap={12} align="flex-start">
      <HStack gap="4px 12px" wrap w="100%" mih={26}>
        <h3 id="regulation-steps">Шаги</h3>
        <Muted flex={1} role="status">
          {counted(stages.length, stepForms)}
          {minutes > 0 && `, всего ${formatSpan(minutes * 60)}`}
        </Muted>
        {stages.length > 1 && (
          <ActionButton
            label={all ? 'Свернуть все' : 'Развернуть все'}
            size="compact-sm"
            variant="subtle"
            color="gray"
            onClick={() => acts.open(keys, !all)}
          />
        )}
      </HStack>
      {stages.length === 0 && <Text c="dimmed">Шаги отсутствуют. Добавьте первый.</Text>}
      <VStack ref={list} component="ol" w="100%" aria-labelledby="regulation-steps">
        {stages.map((step, at) => (
          <StepEditor
            key={step.key}
            step={step}
            at={at}
            before={stages[at - 1]?.key}
            after={stages[at + 1]?.key}
            open={open.has(step.key)}
            error={errors[`stages.${at}.title`]}
            more={otherErrors(errors, at)}
            acts={acts}
          />
        ))}
      </VStack>
      <ActionButton label="Добавить шаг" variant="default" icon={IconPlus} onClick={() => acts.add([{}])} />
    </VStack>
  )
}

/** Server errors of the step besides the title. */
function otherErrors(errors: DraftErrors, at: number): string | undefined {
  const start = `stages.${at}.`
  const found = Object.entries(errors).filter(([name]) => name.startsWith(start) && name !== `${start}title`)
  return found.map(([, message]) => message).join('. ') || undefined
}
