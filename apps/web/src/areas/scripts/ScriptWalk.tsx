import { Group, Text } from '@mantine/core'
import type { OldScript } from '@ordinator/model/areas/scripts/script'
import type { Row } from '@ordinator/model/entity'
import { IconArrowBackUp, IconRefresh } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { RichText } from '#records/RichText.tsx'
import classes from './ScriptWalk.module.css'

/** Saved, or being edited. */
type Script = Pick<Row<typeof OldScript>, 'description' | 'params'>

/** A script to follow during a conversation: text, then steps. */
export function ScriptWalk({ script }: { script: Script }) {
  return (
    <>
      <RichText html={script.description} />
      <Walk script={script} />
    </>
  )
}

/** One step at a time, with answers that lead on. */
function Walk({ script }: { script: Script }) {
  const steps = script.params?.steps ?? []
  const start = steps[0]?.key
  /** Keys of visited steps; the last is shown, null is the end. */
  const [way, setWay] = useState<(string | null)[]>(start === undefined ? [] : [start])
  const title = useRef<HTMLHeadingElement>(null)
  const moved = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each step the reader begins at its title
  useEffect(() => {
    if (moved.current) title.current?.focus()
  }, [way])
  const go = (next: (string | null)[]) => {
    moved.current = true
    setWay(next)
  }
  if (start === undefined) return null
  const at = way.at(-1)
  const step = steps.find(({ key }) => key === at)
  return (
    <VStack gap={12} framed p={12}>
      <h3 ref={title} tabIndex={-1} className={classes.title}>
        {step ? step.title : 'Разговор окончен'}
      </h3>
      {step && (
        <Text fz={15} lh="22px" className="lines">
          {step.text}
        </Text>
      )}
      {step && step.answers.length > 0 && (
        <VStack component="ul" aria-label="Ответ клиента">
          {step.answers.map(({ text, next }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two answers may be worded alike
            <li key={i}>
              <ActionButton
                label={text}
                fullWidth
                variant="default"
                justify="start"
                classNames={{ root: classes.answer, label: classes.answerText }}
                onClick={() => go([...way, next])}
              />
            </li>
          ))}
        </VStack>
      )}
      <Group gap={8}>
        <ActionButton
          label="Назад"
          size="compact-sm"
          variant="subtle"
          color="gray"
          icon={IconArrowBackUp}
          disabled={way.length < 2}
          onClick={() => go(way.slice(0, -1))}
        />
        <ActionButton
          label="Сначала"
          size="compact-sm"
          variant="subtle"
          color="gray"
          icon={IconRefresh}
          disabled={way.length < 2}
          onClick={() => go([start])}
        />
      </Group>
    </VStack>
  )
}
