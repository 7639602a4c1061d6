import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { Button } from '@mantine/core'
import { counted, formatSpan } from '@ordinator/model/format'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { stepForms } from '../words.ts'
import { type DraftErrors, minutesOf, type StepDraft } from './draft.ts'
import { StepEditor } from './StepEditor.tsx'
import classes from './StepList.module.css'
import { scrollerOf } from './scrollerOf.ts'
import type { DraftActs } from './useRegulationDraft.ts'

interface Props {
  stages: readonly StepDraft[]
  open: ReadonlySet<number>
  errors: DraftErrors
  acts: DraftActs
}

/** The steps in their order: put elsewhere by their grips, keys and menus; each opens to be edited. */
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
    <section aria-labelledby="regulation-steps" className={classes.section}>
      <div className={classes.head}>
        <h3 id="regulation-steps" className={classes.title}>
          Шаги
        </h3>
        <span className={`${classes.sum} tabular`} role="status">
          {counted(stages.length, stepForms)}
          {minutes > 0 && `, всего ${formatSpan(minutes * 60)}`}
        </span>
        {stages.length > 1 && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => acts.open(keys, !all)}>
            {all ? 'Свернуть все' : 'Развернуть все'}
          </Button>
        )}
      </div>
      {stages.length === 0 && <p className={classes.nothing}>Шаги отсутствуют. Добавьте первый.</p>}
      <ol ref={list} className={classes.steps} aria-labelledby="regulation-steps">
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
      </ol>
      <Button variant="default" leftSection={<IconPlus size={18} />} onClick={() => acts.add([{}])}>
        Добавить шаг
      </Button>
    </section>
  )
}

/** What the server found wrong in the step besides its title. */
function otherErrors(errors: DraftErrors, at: number): string | undefined {
  const start = `stages.${at}.`
  const found = Object.entries(errors).filter(([name]) => name.startsWith(start) && name !== `${start}title`)
  return found.map(([, message]) => message).join('. ') || undefined
}
