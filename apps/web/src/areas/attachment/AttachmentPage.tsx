import { Progress } from '@mantine/core'
import { AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import { applicationStatuses, isWaiting, loadOf, sources } from '@ordinator/model/areas/attachment/rules'
import { ageText } from '@ordinator/model/areas/customers/age'
import type { Expanded } from '@ordinator/model/client'
import { formatNumber } from '@ordinator/model/format'
import { identifierText } from '@ordinator/model/identifiers'
import { pageAllowed, pageByKey, pagePath } from '@ordinator/model/pages'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Notice } from '#areas/eln/index.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { formatDateTime, today } from '#kit/clock.ts'
import figures from '#kit/figures.module.css'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { retries } from '#records/reads.ts'
import type { ColumnSpec } from '#records/table/columns.ts'
import { ApplicationStatus } from './ApplicationStatus.tsx'
import classes from './Attachment.module.css'
import { DueMark } from './DueMark.tsx'

type Line = Expanded<typeof AttachmentApplication, 'area' | 'doctor' | 'responsible'>

const applicationFilters = filters(AttachmentApplication, {
  status: choice('status', { options: applicationStatuses, any: 'Любое состояние' }),
  source: choice('source', { label: 'Откуда', options: sources, any: 'Откуда угодно' }),
  area: refs('idArea', { label: 'Участок', any: 'Любой участок' }),
  doctor: refs('idDoctor', { label: 'Врач', any: 'Любой врач' }),
  submitted: period('submittedAt', { label: 'Подано' }),
  late: flag('Просрочены', { isLate: 'yes' }, { panel: 'Только просроченные', toggle: true }),
})

const columns: readonly ColumnSpec<Line>[] = [
  {
    key: 'surname',
    label: 'Заявитель',
    width: 240,
    cell: ({ fio, birthday }) => (
      <>
        {fio}
        <Fine component="div">{ageText(birthday, today())}</Fine>
      </>
    ),
  },
  {
    key: 'submittedAt',
    width: 165,
    cell: ({ submittedAt }) => <span className="tabular">{formatDateTime(submittedAt)}</span>,
  },
  { key: 'status', width: 180, cell: ({ status }) => <ApplicationStatus status={status} /> },
  {
    key: 'dueAt',
    width: 150,
    cell: (one) => (isWaiting(one.status) ? <DueMark {...one} /> : <Muted>—</Muted>),
  },
  { key: 'source', width: 130 },
  { key: 'number', label: '№', width: 110 },
  {
    key: 'enp',
    width: 195,
    cell: ({ enp }) => (enp ? <span className="tabular nowrap">{identifierText('enp', enp)}</span> : <Muted>—</Muted>),
  },
  { key: 'idArea', width: 160 },
  { key: 'idDoctor', width: 170, cell: ({ doctor }) => doctor && <UserLink user={doctor} /> },
  { key: 'idResponsible', width: 170, cell: ({ responsible }) => responsible && <UserLink user={responsible} /> },
]

/** Прикрепление: applications with deadlines, and the load of areas. */
export default function AttachmentPage() {
  return (
    <RegistryPage
      page={pageByKey('attachment')}
      entity={AttachmentApplication}
      pageOf={(id) => pagePath('attachmentApplication', { id })}
      expand={['area', 'doctor', 'responsible']}
      columns={columns}
      filters={applicationFilters}
      isMuted={({ status }) => status === 'withdrawn' || status === 'refused'}
      tools={<PageLink page="attachedPeople">Прикреплённые</PageLink>}
      layout={(list) => (
        <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)">
          <Figures />
          {list}
        </VStack>
      )}
    />
  )
}

function Figures() {
  const actor = useActor()
  const maySetUp = pageAllowed(pageByKey('attachmentAreas'), actor)
  const { data, isError, isPending } = useQuery({
    queryKey: ['attachment', 'figures'],
    queryFn: ({ signal }) => api('GET /attachment/figures', {}, { signal, forbidden: 'silent' }),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: [AttachmentApplication.path, 'attachment/attachments', 'attachment/areas'] },
  })
  useRevealDelay(isPending)
  if (isError || !data) return null
  return (
    <>
      {!data.exchange.isSet && (
        <Notice icon={IconPlugConnectedX} color="gray">
          {data.exchange.words}. {maySetUp && <PageLink page="attachmentSettings">Настройки прикрепления</PageLink>}
        </Notice>
      )}
      <div className={figures.figures}>
        <section aria-label="Ждут ответа">
          <h2>Ждут ответа</h2>
          <p>{formatNumber(data.waiting)}</p>
          <Fine c={data.late > 0 ? 'var(--mantine-color-error)' : undefined}>
            {data.late > 0 ? `просрочено: ${data.late}` : data.urgent > 0 ? `за сутки: ${data.urgent}` : 'в срок'}
          </Fine>
        </section>
        <section aria-label="Решено за 30 дней">
          <h2>Решено за 30 дней</h2>
          <p>{formatNumber(data.decided30)}</p>
          <Fine>
            отказов {data.refused30}
            {data.hours !== null && ` · обычно за ${formatNumber(data.hours, 0)} ч`}
          </Fine>
        </section>
        <section aria-label="Нагрузка участков" className={`${figures.wide} ${classes.areas}`}>
          <h2>Нагрузка участков</h2>
          {data.areas.length === 0 ? (
            <Fine>
              {maySetUp ? (
                <>
                  Участков нет: <PageLink page="attachmentAreas">заведите их</PageLink>
                </>
              ) : (
                'Участков нет: их заведёт администратор'
              )}
            </Fine>
          ) : (
            <ul>
              {data.areas.slice(0, 6).map((area) => (
                <li key={area.id}>
                  <span className={classes.one} title={area.name}>
                    {area.name}
                  </span>
                  <Progress
                    size="sm"
                    aria-label={`${area.name}: ${area.attached} из ${area.norm}`}
                    value={Math.min(100, 100 * loadOf(area))}
                    color={loadOf(area) >= 1 ? 'red' : loadOf(area) > 0.9 ? 'orange' : 'teal'}
                  />
                  <Fine className="nowrap">
                    {formatNumber(area.attached)} из {formatNumber(area.norm)}
                  </Fine>
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </>
  )
}
