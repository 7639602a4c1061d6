import { Select, Text } from '@mantine/core'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { formatDay } from '@ordinator/model/format'
import { groupingsOf, type Report } from '@ordinator/model/report'
import { type PeriodPreset, periodBeside, periodPresets, presetPeriod } from '@ordinator/model/reportPeriod'
import { groupText } from '@ordinator/model/reportText'
import { compareWith } from '@ordinator/model/reportWire'
import {
  IconArrowLeft,
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconFileTypeXls,
  IconHourglass,
  IconInfoCircle,
  IconMail,
  IconRefresh,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAddress } from '#base/address.ts'
import { PageLink } from '#base/PageLink.tsx'
import { reportApi } from '#base/reportApi.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { part } from '#kit/chunk.ts'
import { formatTime, today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { RevealDelay, Revealed, RevealTogether, useRevealDelay } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { retries, useList } from '#records/reads.ts'
import { addressOf, askedOf, isOverTime, type ReportAddress, readerOf, shownPeriod } from './address.ts'
import { BackgroundRuns, startRun } from './BackgroundRun.tsx'
import { GroupTable } from './GroupTable.tsx'
import { MailPanel } from './MailPanel.tsx'
import classes from './Reports.module.css'
import { RowsPanel } from './RowsPanel.tsx'
import { SavedSets } from './SavedSets.tsx'
import { Totals } from './Totals.tsx'

const ReportChart = part(
  () => import('./ReportChart.tsx'),
  <div className={classes.chartPlace}>
    <RevealDelay />
  </div>,
)

interface Props {
  report: Report
  /** Shown within the catalogue, with a link back. */
  inCatalogue?: boolean
}

/** A report: period and groupings, figures, chart and table, and the rows behind each figure. */
export function ReportView({ report, inCatalogue }: Props) {
  const [read] = useState(() => readerOf(report))
  const [address, setAddress] = useAddress(read)
  const asked = askedOf(report, address)
  const found = useQuery({
    queryKey: ['report', report.key, asked],
    queryFn: ({ signal }) => reportApi.figures(report, asked, { signal }),
    retry: retries,
    placeholderData: (before) => before,
  })
  const [isMailing, setMailing] = useState(false)
  const by = found.data?.by ?? []
  const inBackground = async (what: 'figures' | 'rows') => {
    const { by: _by, compare: _compare, ...filter } = asked
    await startRun(report, what === 'rows' ? filter : asked, what)
    notify.success('Считаем в фоне: страницу можно закрыть')
  }
  return (
    <RevealTogether busy={found.isLoading}>
      <PageHead
        title={report.title}
        help={report.help}
        start={
          inCatalogue && (
            <IconButton
              icon={IconArrowLeft}
              label="Все отчёты"
              renderRoot={(props: object) => <PageLink {...props} page="reports" />}
            />
          )
        }
        actions={
          <HStack gap={8}>
            <SavedSets report={report} address={address} besides={inCatalogue ? { tab: report.key } : {}} />
            <IconButton
              icon={IconMail}
              label="Прислать по почте"
              variant="default"
              size={32}
              onClick={() => setMailing(true)}
            />
            <Files report={report} asked={asked} onBackground={() => void inBackground('rows')} />
          </HStack>
        }
      >
        <Revealed fallback={<div className={classes.barPlace} />}>
          <Bar report={report} address={address} onChange={setAddress} />
        </Revealed>
      </PageHead>
      <Revealed
        fallback={
          <div className={classes.page}>
            <LinesSkeleton lines={10} />
          </div>
        }
      >
        <div className={classes.page} aria-busy={found.isFetching || undefined}>
          <p className={classes.hint}>
            <IconInfoCircle size={16} aria-hidden />
            <span>{report.hint}</span>
            {found.data && (
              <span className={classes.counted}>
                {found.data.before &&
                  `Сравнение: ${formatDay(found.data.before.from)}–${formatDay(found.data.before.until)}. `}
                Обновлено в {formatTime(found.data.counted)}
                <IconButton
                  icon={IconRefresh}
                  size={24}
                  label="Обновить"
                  loading={found.isFetching}
                  onClick={() => void found.refetch()}
                />
              </span>
            )}
          </p>
          {address.is && (
            <Conditions
              report={report}
              is={address.is}
              onChange={(is) => setAddress({ is: is.length ? is : undefined })}
            />
          )}
          <BackgroundRuns report={report} asked={asked} onOpen={(other) => setAddress(addressOf(report, other))} />
          {found.data?.run ? (
            <p role="status">
              Считать дольше, чем ждёт страница: отчёт считается в фоне и появится здесь. Страницу можно закрыть.
            </p>
          ) : found.data ? (
            <>
              {found.data.later && (
                <HStack gap={12} wrap mb={12}>
                  <span role="status">
                    Строк за этот период очень много: {laterOf(report, found.data.later)} — только в фоне.
                  </span>
                  <ActionButton
                    label="Посчитать всё в фоне"
                    icon={IconHourglass}
                    variant="default"
                    onClick={() => void inBackground('figures')}
                  />
                </HStack>
              )}
              <Totals report={report} figures={found.data} />
              {found.data.groups.length === 0 && by.length > 0 ? (
                <EmptyState
                  title="За этот период данных нет"
                  text="Выберите другой период или снимите отбор по филиалам и условиям."
                />
              ) : (
                <>
                  {by.length > 0 && report.chart?.length !== 0 && (
                    <ReportChart report={report} figures={found.data} overTime={isOverTime(by)} />
                  )}
                  <GroupTable report={report} figures={found.data} />
                </>
              )}
            </>
          ) : found.isError ? (
            <ErrorState title="Отчёт не загрузился" error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <LinesSkeleton lines={10} />
          )}
        </div>
      </Revealed>
      {isMailing && <MailPanel report={report} asked={asked} onClose={() => setMailing(false)} />}
      {address.behind && (
        <RowsPanel
          report={report}
          asked={asked}
          behind={address.behind}
          onClose={() => setAddress({ behind: undefined })}
        />
      )}
    </RevealTogether>
  )
}

/** Figures that need a background run, by name. */
const laterOf = (report: Report, names: readonly string[]): string =>
  names.map((name) => `«${report.measures[name]?.label ?? name}»`).join(', ')

interface BarProps {
  report: Report
  address: ReportAddress
  onChange: (patch: Partial<ReportAddress>, options?: { replace?: boolean }) => void
}

function Bar({ report, address, onChange }: BarProps) {
  const { onlyFilials } = useActor()
  const own = onlyFilials && { filter: { id: { in: [...onlyFilials] } } }
  const filials = useList(Filial, { ...own, fields: ['nameFilial'], sort: 'nameFilial', limit: 200 })
  useRevealDelay(filials.isPending)
  const period = shownPeriod(address)
  const now = today()
  const preset = (Object.keys(periodPresets) as PeriodPreset[]).find((one) => {
    const { from, until } = presetPeriod(one, now)
    return from === period.from && until === period.until
  })
  const groupings = groupingsOf(report)
  const by = address.by === '-' ? [] : (address.by?.split(',') ?? report.first)
  const setBy = (at: number) => (value: string | null) => {
    const next = at === 0 ? [value, by[1]] : [by[0], value]
    const names = [...new Set(next.filter((one): one is string => !!one))]
    onChange({ by: names.join(',') || '-' })
  }
  const setDay = (name: 'from' | 'until') => (value: string | null) => {
    if (value !== null && isDay(value)) onChange({ ...period, [name]: value }, { replace: true })
  }
  const beside = (step: -1 | 1) => onChange({ ...periodBeside(period, step, now) })
  const keys = { group: 'Отчёт', enabled: !report.isNow }
  useHotkey('[', () => beside(-1), { ...keys, label: 'Период раньше' })
  useHotkey(']', () => period.until < now && beside(1), { ...keys, label: 'Период позже' })
  const options = Object.entries(groupings).map(([value, label]) => ({ value, label }))
  return (
    <>
      {!report.isNow && (
        <>
          <Select
            aria-label="Период"
            w={150}
            placeholder="Свой период"
            data={Object.entries(periodPresets).map(([value, label]) => ({ value, label }))}
            value={preset ?? null}
            onChange={(value) => value && onChange({ ...presetPeriod(value as PeriodPreset, now) })}
          />
          <div className={classes.dates}>
            <IconButton icon={IconChevronLeft} label="Период раньше" size={32} onClick={() => beside(-1)} />
            <DateField aria-label="С дня" w={142} value={period.from} max={period.until} onChange={setDay('from')} />
            <DateField aria-label="По день" w={142} value={period.until} min={period.from} onChange={setDay('until')} />
            <IconButton
              icon={IconChevronRight}
              label="Период позже"
              size={32}
              disabled={period.until >= now}
              onClick={() => beside(1)}
            />
          </div>
        </>
      )}
      {!report.noFilial && (filials.data?.items.length ?? 0) > 1 && (
        <Select
          aria-label="Филиал"
          w={190}
          clearable
          searchable
          placeholder="Все филиалы"
          data={(filials.data?.items ?? []).map((one) => ({ value: String(one.id), label: one.nameFilial }))}
          value={address.filial?.[0] === undefined ? null : String(address.filial[0])}
          onChange={(value) => onChange({ filial: value ? [Number(value)] : undefined })}
        />
      )}
      {[0, 1].map((at) => (
        <Select
          key={at}
          aria-label={at === 0 ? 'Группировка' : 'Затем'}
          w={170}
          clearable
          placeholder={at === 0 ? 'Без группировки' : 'Затем…'}
          disabled={at === 1 && by.length === 0}
          data={options.filter(({ value }) => value !== by[1 - at])}
          value={by[at] ?? null}
          onChange={setBy(at)}
        />
      ))}
      {Object.entries(report.parameters ?? {}).map(([name, { label, labels, default: first }]) => (
        <Select
          key={name}
          aria-label={label}
          w={200}
          allowDeselect={false}
          data={Object.entries(labels).map(([value, text]) => ({ value, label: text }))}
          value={String(address[name] ?? first)}
          onChange={(value) => onChange({ [name]: value ?? undefined })}
        />
      ))}
      {!report.isNow && (
        <Select
          aria-label="Сравнение"
          w={190}
          clearable
          placeholder="Без сравнения"
          data={Object.entries(compareWith).map(([value, label]) => ({ value, label }))}
          value={address.compare ?? null}
          onChange={(value) => onChange({ compare: (value ?? undefined) as ReportAddress['compare'] })}
        />
      )}
    </>
  )
}

/** Conditions from the URL, removable. */
function Conditions({ report, is, onChange }: { report: Report; is: string[]; onChange: (is: string[]) => void }) {
  const groupings = groupingsOf(report)
  return (
    <HStack gap={8} wrap mb={12}>
      {is.map((one) => {
        const [name = '', value = ''] = one.split(/:(.*)/s)
        return (
          <ActionButton
            key={one}
            variant="light"
            size="compact-sm"
            label={`${groupings[name] ?? name}: ${groupText(report, name, value || null, null)} ✕`}
            onClick={() => onChange(is.filter((other) => other !== one))}
          />
        )
      })}
    </HStack>
  )
}

interface FilesProps {
  report: Report
  asked: Record<string, unknown>
  /** Creates the file of all rows in a background run. */
  onBackground: () => void
}

function Files({ report, asked, onBackground }: FilesProps) {
  const [busy, setBusy] = useState(false)
  const save = async (what: 'figures' | 'rows', format: 'xlsx' | 'csv' | 'pdf') => {
    setBusy(true)
    const { compare: _, by, ...rest } = asked
    try {
      const grouped = what === 'figures' && by !== undefined ? { by } : {}
      await reportApi.file(report, { ...rest, ...grouped, what, format })
    } finally {
      setBusy(false)
    }
  }
  useHotkey('x', () => void save('figures', 'xlsx'), { label: 'Таблица в XLSX', group: 'Отчёт', enabled: !busy })
  return (
    <HStack gap={8}>
      {busy && (
        <Text span fz={13} c="dimmed" role="status">
          Готовим файл…
        </Text>
      )}
      <ActionButton
        label="XLSX"
        aria-label="Скачать таблицу в XLSX"
        variant="default"
        size="compact-md"
        icon={IconFileTypeXls}
        disabled={busy}
        onClick={() => void save('figures', 'xlsx')}
      />
      <ActionMenu icon={IconDownload} label="Скачать и напечатать" variant="default" size={32} width={240}>
        <MenuItem label="Таблица в XLSX" onClick={() => void save('figures', 'xlsx')} />
        <MenuItem label="Таблица в CSV" onClick={() => void save('figures', 'csv')} />
        <MenuItem label="Таблица в PDF" onClick={() => void save('figures', 'pdf')} />
        <MenuItem label="Все строки в XLSX" onClick={() => void save('rows', 'xlsx')} />
        <MenuItem label="Все строки в CSV" onClick={() => void save('rows', 'csv')} />
        <MenuItem label="Все строки в фоне, CSV" onClick={onBackground} />
      </ActionMenu>
    </HStack>
  )
}
