import { Tabs, Textarea, TextInput } from '@mantine/core'
import { Stage } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { User } from '@ordinator/model/areas/staff/user'
import { formatMoney } from '@ordinator/model/format'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, api, type Body } from '#base/api.ts'
import { recordsWith } from '#base/client.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import frame from '#kit/framedRows.module.css'
import { Block, Tiles } from '#kit/Stacks.tsx'
import { AJAX_LIMIT, type AjaxOption } from '#kit/useAjaxOptions.ts'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import classes from './Requests.module.css'
import type { RequestRow } from './requestRow.ts'

export type Sorting = 'accept' | 'reject' | 'link'

interface Props {
  request: RequestRow
  busy: boolean
  onSort: (verb: Sorting, call: () => Promise<unknown>) => Promise<void>
}

const MAX_REASON = 500
const toast = { forbidden: 'toast' } as const

/** Sorts a request: new deal, part of an existing one, or rejected. */
export function SortRequest({ request, busy, onSort }: Props) {
  const actor = useActor()
  const [title, setTitle] = useState('')
  const [idStage, setStage] = useState<number | null>(null)
  const [idUser, setUser] = useState<number | null>(actor.id)
  const [lead, setLead] = useState<AjaxOption | null>(null)
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const matches = useQuery({
    queryKey: ['requestMatches', request.id],
    queryFn: ({ signal }) =>
      api(
        'GET /sales-management/requests/:id/matches',
        { params: { id: request.id } },
        { signal, forbidden: 'silent', quiet: true },
      ),
    meta: { live: [Lead.path] },
  })
  const { leads = [], customers = [] } = matches.data ?? {}
  const params = { id: request.id }
  const accept = (body: Body<'POST /sales-management/requests/:id/accept'>) =>
    onSort('accept', () => api('POST /sales-management/requests/:id/accept', { params, body }, toast))
  const link = (idLead: number) =>
    onSort('link', () => api('POST /sales-management/requests/:id/link', { params, body: { idLead } }, toast))
  const reject = () =>
    onSort('reject', () =>
      api('POST /sales-management/requests/:id/reject', { params, body: { reason: reason.trim() } }, toast),
    )
  return (
    <Block rule="top" mt={12} pt={12}>
      <RequestFacts request={request} />
      <KnownCustomers customers={customers} />
      {leads.length > 0 && <OpenDeals leads={leads} busy={busy} onLink={(idLead) => void link(idLead)} />}
      <Tabs defaultValue="accept" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="accept" className={classes.tab}>
            Принять
          </Tabs.Tab>
          <Tabs.Tab value="link" className={classes.tab}>
            Присоединить
          </Tabs.Tab>
          <Tabs.Tab value="reject" className={classes.tab}>
            Отклонить
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="accept">
          <Tiles tile={220} fit gap={12} mb={12}>
            <TextInput
              label="Название сделки"
              placeholder="По имени и источнику"
              maxLength={255}
              value={title}
              onChange={(event) => setTitle(event.currentTarget.value)}
            />
            <RefSelect
              to={Stage.path}
              filter={request.intake?.idFunnel ? { idFunnel: request.intake.idFunnel } : undefined}
              label="Этап"
              placeholder="Первый этап воронки"
              value={idStage}
              onChange={(id) => setStage(id)}
              clearable
            />
            <RefSelect to={User.path} label="Ответственный" value={idUser} onChange={(id) => setUser(id)} clearable />
          </Tiles>
          <ActionButton
            label="Создать сделку"
            loading={busy}
            onClick={() =>
              void accept({
                ...(title.trim() ? { title: title.trim() } : {}),
                ...(idStage === null ? {} : { idStage }),
                ...(idUser === null ? {} : { idUser }),
              })
            }
          />
        </Tabs.Panel>
        <Tabs.Panel value="link">
          <Tiles tile={220} fit gap={12} mb={12}>
            <AjaxSelect
              label="Сделка"
              placeholder="Название сделки"
              load={findLeads}
              value={lead}
              onChange={setLead}
              error={tried && !lead ? 'Выберите сделку' : undefined}
            />
          </Tiles>
          <ActionButton
            label="Присоединить"
            loading={busy}
            onClick={() => {
              setTried(true)
              if (lead) void link(lead.value)
            }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="reject">
          <Tiles tile={220} fit gap={12} mb={12}>
            <Textarea
              label="Причина"
              withAsterisk
              autosize
              minRows={2}
              maxLength={MAX_REASON}
              placeholder="Спам, ошиблись номером…"
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              error={tried && !reason.trim() ? 'Укажите причину' : undefined}
            />
          </Tiles>
          <ActionButton
            label="Отклонить"
            reverse
            color="red"
            loading={busy}
            onClick={() => {
              setTried(true)
              if (reason.trim()) void reject()
            }}
          />
        </Tabs.Panel>
      </Tabs>
    </Block>
  )
}

type Matches = Answer<'GET /sales-management/requests/:id/matches'>

/** Page and marks of a request. */
function RequestFacts({ request }: { request: RequestRow }) {
  const utm = Object.entries(request.utm ?? {}).filter(([, value]) => value)
  if (!request.page && utm.length === 0) return null
  return (
    <dl className={classes.facts}>
      {request.page && (
        <>
          <dt>Страница</dt>
          <dd>{request.page}</dd>
        </>
      )}
      {utm.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function KnownCustomers({ customers }: Pick<Matches, 'customers'>) {
  if (customers.length === 0) return null
  return (
    <Block component="p" framed mb={12} px={12} py={8} bg="var(--ord-canvas)">
      {customers.length === 1
        ? `Это клиент ${customers[0]?.fio}: контакт новой сделки будет с ним связан.`
        : `Клиенты с таким телефоном или почтой: ${customers.map(({ fio }) => fio).join(', ')}`}
    </Block>
  )
}

interface DealsProps extends Pick<Matches, 'leads'> {
  busy: boolean
  onLink: (idLead: number) => void
}

/** Open deals of the same contact, which the request may join. */
const OpenDeals = ({ leads, busy, onLink }: DealsProps) => (
  <Block framed mb={12} px={12} py={8} bg="var(--ord-canvas)">
    <div>Есть открытые сделки с этим контактом:</div>
    <ul className={classes.matches}>
      {leads.map(({ id, title: name, price, stage }) => (
        <li key={id}>
          <span>
            {name}
            <span className={frame.meta}>
              {[stage?.name, price === null ? '' : formatMoney(price)].filter(Boolean).join(' · ')}
            </span>
          </span>
          <ActionButton
            label="Присоединить"
            size="compact-sm"
            variant="light"
            disabled={busy}
            aria-label={`Присоединить к сделке «${name}»`}
            onClick={() => onLink(id)}
          />
        </li>
      ))}
    </ul>
  </Block>
)

const quiet = recordsWith({ forbidden: 'silent' })

async function findLeads(text: string, signal: AbortSignal): Promise<AjaxOption[]> {
  const { items } = await quiet.list(Lead, { q: text, limit: AJAX_LIMIT }, { signal })
  return items.map(({ id, title, price }) => ({
    value: id,
    label: title,
    hint: price === null ? '' : formatMoney(price),
  }))
}
