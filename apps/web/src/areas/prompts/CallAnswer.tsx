import { type CheckItem, checkAnswers, checkItems } from '@ordinator/model/areas/calls/checkList'
import type { CallAnswer as Answer } from '@ordinator/model/areas/prompts/answer'
import { IconCircleCheck, IconCircleMinus, IconCircleX } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import classes from './Prompts.module.css'

const marks = {
  yes: { icon: IconCircleCheck, color: 'var(--mantine-color-teal-6)' },
  no: { icon: IconCircleX, color: 'var(--mantine-color-red-6)' },
  na: { icon: IconCircleMinus, color: 'var(--mantine-color-dimmed)' },
} as const

interface Props {
  answer: Answer
  /** Labels of the prompt's additional fields. */
  labels?: Readonly<Record<string, string>>
  /** Actions beside the check list, and below the next step. */
  checkTools?: ReactNode
  stepTools?: ReactNode
}

/** Model results for a conversation. */
export function CallAnswer({ answer, labels = {}, checkTools, stepTools }: Props) {
  const { summary, reason, outcome, objections, checks, score, nextStep, more } = answer
  const facts: [string, string][] = [
    ['Зачем обратились', reason],
    ['Чем кончилось', outcome],
    ['Возражения', objections.join('; ')],
    ...Object.entries(more).map(([key, value]): [string, string] => [labels[key] ?? key, value]),
  ]
  return (
    <VStack gap={16}>
      <p className="lines breaks">{summary}</p>
      <dl className={classes.facts}>
        {facts
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
      </dl>
      {Object.keys(checks).length > 0 && (
        <section aria-label="Чек-лист по разговору">
          <HStack justify="space-between" wrap mb={8}>
            <HStack gap={12}>
              <span className={`${classes.score} tabular`}>{score === null ? '—' : `${score} %`}</span>
              <Muted>чек-лист</Muted>
            </HStack>
            {checkTools}
          </HStack>
          <div className={classes.checks}>
            {(Object.keys(checkItems) as CheckItem[]).flatMap((item) => {
              const mark = checks[item]
              if (!mark) return []
              const { icon: Icon, color } = marks[mark]
              return [
                <Fragment key={item}>
                  <Icon size={18} color={color} role="img" aria-label={checkAnswers[mark]} />
                  <span>{checkItems[item]}</span>
                </Fragment>,
              ]
            })}
          </div>
        </section>
      )}
      {nextStep && (
        <section aria-label="Следующий шаг">
          <h3>Следующий шаг</h3>
          <p className="breaks">{nextStep.text}</p>
          {stepTools}
        </section>
      )}
    </VStack>
  )
}
