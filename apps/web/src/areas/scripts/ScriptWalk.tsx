import { Button, Group } from '@mantine/core'
import type { OldScript } from '@ordinator/model/areas/scripts/script'
import type { Row } from '@ordinator/model/entity'
import { IconArrowBackUp, IconRefresh } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { RichText } from '../../records/RichText.tsx'
import classes from './ScriptWalk.module.css'

/** As it is saved, or as it is being edited. */
type Script = Pick<Row<typeof OldScript>, 'description' | 'params'>

/** A script walked while one talks: its text, then one step at a time. */
export function ScriptWalk({ script }: { script: Script }) {
  return (
    <>
      <RichText html={script.description} />
      <Walk script={script} />
    </>
  )
}

/** One step at a time: what to say, and the answers that lead on. */
function Walk({ script }: { script: Script }) {
  const steps = script.params?.steps ?? []
  const start = steps[0]?.key
  /** Keys of the steps gone through; the last is on the screen, null is the end. */
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
    <div className={classes.step}>
      <h3 ref={title} tabIndex={-1} className={classes.title}>
        {step ? step.title : 'Разговор окончен'}
      </h3>
      {step && <p className={classes.text}>{step.text}</p>}
      {step && step.answers.length > 0 && (
        <ul className={classes.answers} aria-label="Ответ клиента">
          {step.answers.map(({ text, next }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two answers may be worded alike
            <li key={i}>
              <Button
                fullWidth
                variant="default"
                justify="start"
                classNames={{ root: classes.answer, label: classes.answerText }}
                onClick={() => go([...way, next])}
              >
                {text}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Group gap={8}>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconArrowBackUp size={16} />}
          disabled={way.length < 2}
          onClick={() => go(way.slice(0, -1))}
        >
          Назад
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconRefresh size={16} />}
          disabled={way.length < 2}
          onClick={() => go([start])}
        >
          Сначала
        </Button>
      </Group>
    </div>
  )
}
