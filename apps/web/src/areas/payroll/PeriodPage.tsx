import { Alert, Button, Progress, Tabs } from '@mantine/core'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { PayrollPeriod, PayrollRun, PayrollSlip } from '@ordinator/model/areas/payroll/payroll'
import {
  isApproved,
  isCounting,
  nextPeriodStatuses,
  type PeriodStatus,
  statusActions,
} from '@ordinator/model/areas/payroll/states'
import type { Row } from '@ordinator/model/entity'
import { counted, formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconCalculator,
  IconCash,
  IconCheck,
  IconFileExport,
  IconX,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useAddress } from '#base/address.ts'
import { id as idOf, word } from '#base/addressValues.ts'
import { api, apiUrl } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { download } from '#base/http.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { useRecordTitle } from '#base/title.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FigureTiles } from '#kit/FigureTiles.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useList, useRecord } from '#records/reads.ts'
import { PayDialog } from './PayDialog.tsx'
import classes from './Payroll.module.css'
import { RunDialog, RunLine } from './Runs.tsx'
import { Sheet } from './Sheet.tsx'
import { SlipPanel } from './SlipPanel.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { Timesheet } from './Timesheet.tsx'
import { monthName } from './words.ts'

const list = pageByKey('payroll')
const tabs = { sheet: 'Ведомость', timesheet: 'Табель', runs: 'Расчёты' } as const
const read = (search: Search) => ({ tab: word(tabs, search.tab), slip: idOf(search.slip) })

type Period = Row<typeof PayrollPeriod>

/** Расчётный месяц: sheet of a branch's month, timesheet, calculations, and status. */
export default function PeriodPage() {
  const params = useParams({ strict: false }) as { id?: string }
  const id = idOf(params.id)
  const answer = useRecord(
    PayrollPeriod,
    id,
    {},
    { forbidden: 'page', live: [PayrollSlip.path, 'payroll/adjustments', 'payroll/payouts'] },
  )
  const filial = useRecord(Filial, answer.data?.idFilial, { fields: ['nameFilial'] }, { forbidden: 'silent' })
  const [{ tab = 'sheet', slip }, setAddress] = useAddress(read)
  const period = answer.data
  const title = period && `${monthName(period.month)}${filial.data ? `, ${filial.data.nameFilial}` : ''}`
  useRecordTitle(title)
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  return (
    <>
      <PageHead
        title={title ?? 'Расчётный месяц'}
        help={period?.dateCalculated ? `Рассчитан ${formatDateTime(period.dateCalculated)}` : 'Ещё не рассчитан'}
        start={
          <IconButton
            icon={IconArrowLeft}
            label={`К списку: ${list.title}`}
            renderRoot={(props) => <PageLink {...props} page="payroll" />}
          />
        }
        actions={period && <Actions period={period} />}
      />
      <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)">
        {period ? (
          <>
            <Figures period={period} />
            <CurrentRun period={period} />
            <Tabs
              value={tab}
              onChange={(next) => setAddress({ tab: next === 'sheet' ? undefined : (next ?? undefined) } as object)}
              keepMounted={false}
            >
              <Tabs.List>
                {Object.entries(tabs).map(([key, label]) => (
                  <Tabs.Tab key={key} value={key}>
                    {label}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value="sheet" pt={12}>
                <Sheet period={period} onOpen={(wanted) => setAddress({ slip: wanted })} />
              </Tabs.Panel>
              <Tabs.Panel value="timesheet" pt={12}>
                <Timesheet period={period} />
              </Tabs.Panel>
              <Tabs.Panel value="runs" pt={12}>
                <Runs period={period} />
              </Tabs.Panel>
            </Tabs>
          </>
        ) : (
          <LinesSkeleton lines={10} />
        )}
      </VStack>
      {slip !== undefined && period && (
        <SlipPanel id={slip} period={period} onClose={() => setAddress({ slip: undefined })} />
      )}
    </>
  )
}

const people = ['сотрудник', 'сотрудника', 'сотрудников'] as const

const Figures = ({ period }: { period: Period }) => (
  <FigureTiles
    label="Итоги месяца"
    tiles={[
      { label: 'Состояние', value: <StatusBadge status={period.status} size="lg" />, note: stepText(period) },
      { label: 'Начислено', value: formatMoney(period.total), note: counted(period.people, people) },
      {
        label: 'Выплачено',
        value: formatMoney(period.paid),
        note: period.total > 0 ? `${Math.round((100 * period.paid) / period.total)} %` : '',
      },
      { label: 'Осталось выплатить', value: formatMoney(period.left) },
    ]}
  />
)

const stepText = ({ status }: Period): string =>
  ({
    open: 'рассчитайте ведомость',
    calculated: 'проверьте начисления',
    checked: 'ждёт утверждения',
    approved: 'сотрудники видят листы',
    paid: 'можно закрывать',
    closed: 'правки идут в следующий',
  })[status]

const back: ReadonlySet<string> = new Set(['checked>calculated', 'approved>checked', 'paid>approved'])

function Actions({ period }: { period: Period }) {
  const cache = useQueryClient()
  const [asked, setAsked] = useState<'run' | 'pay'>()
  const move = useMutation({
    mutationFn: (status: Exclude<PeriodStatus, 'open'>) =>
      api('POST /payroll/periods/:id/status', { params: { id: period.id }, body: { status } }),
    onError: notifyFailure,
    onSettled: () =>
      Promise.all([invalidateRecords(cache, PayrollPeriod.path), invalidateRecords(cache, PayrollSlip.path)]),
  })
  const goTo = async (status: Exclude<PeriodStatus, 'open'>) => {
    const question = {
      title: `Закрыть ${monthName(period.month).toLowerCase()}?`,
      message: 'Закрытый месяц не открыть и не пересчитать: правки его визитов попадут строками в следующий.',
      confirm: statusActions.closed,
    }
    if (status !== 'closed' || (await confirm(question))) move.mutate(status)
  }
  const next = nextPeriodStatuses[period.status] as readonly Exclude<PeriodStatus, 'open'>[]
  const [forward] = next.filter((status) => !back.has(`${period.status}>${status}`))
  const backward = next.filter((status) => back.has(`${period.status}>${status}`))
  const save = () =>
    download(
      apiUrl('GET /payroll/periods/:id/export-1c', { params: { id: period.id } }),
      `Зарплата ${period.month.slice(0, 7)}.xml`,
    ).catch((error) => notify.error(errorMessage(error), { title: 'Файл не выгружен' }))
  return (
    <>
      {isCounting(period.status) && (
        <ActionButton
          label={period.status === 'open' ? 'Рассчитать' : 'Пересчитать'}
          icon={IconCalculator}
          variant={period.status === 'open' ? 'filled' : 'default'}
          onClick={() => setAsked('run')}
        />
      )}
      {isApproved(period.status) && period.left > 0 && period.status !== 'closed' && (
        <ActionButton label="Выплатить остатки" icon={IconCash} variant="default" onClick={() => setAsked('pay')} />
      )}
      {forward && (
        <ActionButton
          label={statusActions[forward]}
          icon={IconCheck}
          loading={move.isPending}
          onClick={() => void goTo(forward)}
        />
      )}
      <ActionMenu label="Действия с месяцем">
        {backward.map((status) => (
          <MenuItem
            key={status}
            label={status === 'calculated' ? statusActions.calculated : 'Шаг назад'}
            icon={IconArrowBackUp}
            onClick={() => move.mutate(status)}
          />
        ))}
        <MenuItem label="Выгрузить для 1С" icon={IconFileExport} onClick={() => void save()} />
      </ActionMenu>
      {asked === 'run' && <RunDialog period={period} onClose={() => setAsked(undefined)} />}
      {asked === 'pay' && <PayDialog period={period} onClose={() => setAsked(undefined)} />}
    </>
  )
}

const useRuns = (idPeriod: number, limit: number) =>
  useList(PayrollRun, { filter: { idPeriod }, sort: '-id', limit, expand: ['author'] })

/** The running calculation, with a button to stop it. */
function CurrentRun({ period }: { period: Period }) {
  const cache = useQueryClient()
  const run = useRuns(period.id, 1).data?.items[0]
  const cancel = useMutation({
    mutationFn: (id: number) => api('POST /payroll/runs/:id/cancel', { params: { id } }),
    onError: notifyFailure,
    onSettled: () => invalidateRecords(cache, PayrollRun.path),
  })
  if (!run) return null
  if (run.status === 'failed')
    return (
      <Alert color="red" variant="light" title="Расчёт не удался">
        {run.error}
      </Alert>
    )
  if (run.status !== 'queued' && run.status !== 'running') return null
  return (
    <div className={classes.run} role="status">
      <HStack justify="space-between" gap={12}>
        <span>{run.stage ?? 'Ждёт очереди'}</span>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconX size={16} aria-hidden />}
          onClick={() => cancel.mutate(run.id)}
        >
          Отменить
        </Button>
      </HStack>
      <Progress value={run.progress} size="sm" aria-label={`Готово ${run.progress} %`} animated />
    </div>
  )
}

function Runs({ period }: { period: Period }) {
  const runs = useRuns(period.id, 50)
  if (runs.isError) return <ErrorState error={runs.error} onRetry={() => void runs.refetch()} />
  if (!runs.data) return <LinesSkeleton lines={5} />
  if (runs.data.items.length === 0) return <Fine>Этот месяц ещё не считали</Fine>
  return (
    <VStack gap={8}>
      {runs.data.items.map((run) => (
        <RunLine key={run.id} run={run} />
      ))}
    </VStack>
  )
}
