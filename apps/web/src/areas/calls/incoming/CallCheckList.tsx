import { SegmentedControl } from '@mantine/core'
import { CallCheck } from '@ordinator/model/areas/calls/call'
import { type CheckItem, checkAnswers, checkItems } from '@ordinator/model/areas/calls/checkList'
import { type ReactNode, useId } from 'react'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import { useSave } from '#records/writes.ts'
import classes from './Incoming.module.css'

const short = { yes: 'Да', no: 'Нет', na: '—' } as const
const options = (Object.keys(short) as (keyof typeof short)[]).map((value) => ({
  value,
  label: <span title={checkAnswers[value]}>{short[value]}</span>,
}))

/** Check list of a conversation; each mark is saved at once. */
export function CallCheckList({ idCall, mayMark = true }: { idCall: number; mayMark?: boolean }) {
  const list = useList(CallCheck, { filter: { idCall }, limit: 1 }, { forbidden: 'silent', reportsFailure: true })
  const save = useSave(CallCheck)
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <LinesSkeleton lines={6} />
  const check = list.data.items[0]
  if (!check && !mayMark) return <Muted>Чек-лист не заполнен</Muted>
  const mark = (item: CheckItem, value: string) =>
    save.mutate({ ...(check ? { id: check.id } : { idCall }), [item]: value })
  return (
    <VStack gap={8}>
      <div className={classes.marks}>
        {(Object.keys(checkItems) as CheckItem[]).map((item) => (
          <Mark key={item} label={checkItems[item]}>
            {(id) => (
              <SegmentedControl
                size="xs"
                aria-labelledby={id}
                data={options}
                disabled={!mayMark || save.isPending}
                value={check?.[item] ?? ''}
                onChange={(value) => mark(item, value)}
              />
            )}
          </Mark>
        ))}
      </div>
      <Muted className="tabular">
        {check?.score == null ? 'Отметьте, что было в разговоре' : `Оценка разговора: ${check.score} %`}
      </Muted>
    </VStack>
  )
}

function Mark({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <>
      <span id={id}>{label}</span>
      {children(id)}
    </>
  )
}
