import { Progress } from '@mantine/core'
import { ReportRun } from '@ordinator/model/areas/reports/mailing'
import { counted } from '@ordinator/model/format'
import { Block } from '#kit/Stacks.tsx'
import { useNow } from '#kit/useNow.ts'
import { Fine } from '#kit/Words.tsx'
import { useRecord } from '#records/reads.ts'

/** In place of figures of a page that the background counts: the page repeats its request (`countingEvery` of counting.ts) and gets them. */
export default function CountingRun({ id }: { id: number }) {
  const { data: run } = useRecord(ReportRun, id, {}, { forbidden: 'silent' })
  return (
    <Block component="section" framed px={16} py={12} aria-label="Расчёт в фоне">
      <span role="status">Числа считаются долго: считаем их в фоне, они появятся здесь сами</span>
      {run?.state === 'running' && <Going run={run} />}
    </Block>
  )
}

interface Progressing {
  total: number
  done: number
  dateCreate: string
}

export function Going({ run: { total, done, dateCreate } }: { run: Progressing }) {
  const now = useNow(1_000)
  const seconds = Math.max(0, Math.round((now - Date.parse(dateCreate)) / 1_000))
  const share = total > 0 ? (done / total) * 100 : 100
  return (
    <>
      <Progress mt={8} value={share} animated={total === 0} aria-label="Сколько посчитано" />
      <Fine>
        {total > 0
          ? `${done} из ${counted(total, ['месяца', 'месяцев', 'месяцев'])}`
          : `Идёт ${seconds} с; страницу можно закрыть`}
      </Fine>
    </>
  )
}
