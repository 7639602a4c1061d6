import { Text } from '@mantine/core'
import { can, holds } from '@ordinator/model/access'
import { Appeal, AppealTag, appealSourceText, outcomes } from '@ordinator/model/areas/appeals/appeal'
import { Call } from '@ordinator/model/areas/calls/call'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { Task } from '@ordinator/model/areas/tasks/task'
import { pageAllowed, pageByKey } from '@ordinator/model/pages'
import {
  IconBriefcase,
  IconCalendarPlus,
  IconCheck,
  IconListCheck,
  IconRotate,
  IconTag,
  IconTrash,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerChip } from '#areas/customers/index.ts'
import { useHasReferrers } from '#areas/referrers/index.ts'
import { TaskFromDialog } from '#areas/tasks/index.ts'
import { Player } from '#areas/transcripts/index.ts'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime, formatEnd } from '#kit/clock.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { notify } from '#kit/notify.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { Popover } from '#kit/Popover.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { TagChip } from '#kit/TagChips.tsx'
import { distinctTags, type NamedTag, TagPicker } from '#kit/TagPicker.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { RecordFields } from '#records/form/RecordFields.tsx'
import { HistoryList } from '#records/HistoryList.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RecordForm } from '#records/RecordForm.tsx'
import { useList, useRecord } from '#records/reads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import { AppealLinks } from './AppealLinks.tsx'
import { CloseDialog } from './CloseDialog.tsx'
import { AppealStatusBadge, SourceChip } from './SourceChip.tsx'
import type { OpenAppeal } from './useAppeal.ts'

/** Characters of the appeal's text in a new task's name. */
const NAME = 200
/** Maximum offered tags. */
const KNOWN = 200

interface Props {
  appeal: OpenAppeal
  onRemoved: () => void
}

/** Card of an appeal: person, cause, records created from it by hotkeys, outcome. */
export function AppealCard({ appeal, onRemoved }: Props) {
  const actor = useActor()
  const hasReferrers = useHasReferrers()
  const cache = useQueryClient()
  const go = useGo()
  const [closing, setClosing] = useState(false)
  const [tasking, setTasking] = useState(false)
  const [busy, setBusy] = useState(false)
  const save = useSave(Appeal)
  const remove = useRemove(Appeal, { message: `Обращение № ${appeal.id} удалено` })
  const may = can(actor, 'update', Appeal)
  const closed = appeal.status === 'closed'
  const mayDeal = may && can(actor, 'create', Lead)
  const mayTask = may && can(actor, 'create', Task)
  const mayBook = may && actor.permissions.createAppointments === true && pageAllowed(pageByKey('calendar'), actor)
  const deal = async () => {
    if (busy) return
    setBusy(true)
    try {
      const made = await api('POST /appeals/:id/lead', { params: { id: appeal.id } }, { forbidden: 'toast' })
      await invalidateRecords(cache, Appeal.path)
      notify.success('Сделка создана')
      void go({ page: 'deals', search: { funnel: made.idFunnel, lead: made.id } })
    } finally {
      setBusy(false)
    }
  }
  const book = () =>
    void go({ page: 'calendar', search: { book: true, customer: appeal.idCustomer ?? undefined, appeal: appeal.id } })
  const group = 'Обращение'
  useHotkey('e', () => setClosing(true), { label: 'Закрыть обращение', group, enabled: may && !closed })
  const isDraft = appeal.status === 'draft'
  const keep = () => save.mutate({ id: appeal.id, status: 'open' })
  const drop = () => {
    onRemoved()
    remove.mutate(appeal.id)
  }
  useHotkey('k', keep, { label: 'Оставить черновик', group, enabled: may && isDraft })
  useHotkey('x', drop, { label: 'Убрать черновик', group, enabled: may && isDraft })
  useHotkey('t', () => setTasking(true), { label: 'Задача', group, enabled: mayTask })
  useHotkey('d', () => void deal(), { label: 'Сделка', group, enabled: mayDeal })
  useHotkey('v', book, { label: 'Запись на приём', group, enabled: mayBook })
  const phone = appeal.customerPhone ?? appeal.customer?.phone
  return (
    <VStack gap={20}>
      <VStack gap={8}>
        <HStack wrap>
          <AppealStatusBadge status={appeal.status} />
          <SourceLink appeal={appeal} />
          <Muted className="tabular">{formatDateTime(appeal.dateStart)}</Muted>
          {appeal.user && (
            <Muted>
              оператор <UserLink user={appeal.user} />
            </Muted>
          )}
          {appeal.owner && (
            <Muted>
              отвечает <UserLink user={appeal.owner} />
            </Muted>
          )}
          {!closed && appeal.deadline && (
            <Text
              span
              inherit
              className="tabular"
              c={isPast(appeal.deadline) ? 'var(--mantine-color-error)' : undefined}
            >
              срок {formatDateTime(appeal.deadline)}
            </Text>
          )}
        </HStack>
        <HStack wrap>
          {appeal.customer ? (
            <CustomerChip customer={appeal.customer} />
          ) : (
            <strong>{appeal.customerFullName || 'Клиент не выбран'}</strong>
          )}
          {phone && <PhoneLink phone={phone} />}
        </HStack>
        {closed && (
          <Muted>
            {appeal.outcome ? `Итог: ${outcomes[appeal.outcome]}` : `Следующий шаг: ${appeal.nextStep}`}
            {appeal.dateNextStep && `, ${formatDateTime(appeal.dateNextStep)}`}
            {`. Закрыто ${formatEnd(appeal.dateEnd)}`}
          </Muted>
        )}
        {may && (
          <HStack wrap gap={6} pt={4}>
            {isDraft && (
              <>
                <ActionButton label="Оставить" icon={IconCheck} title="K" aria-keyshortcuts="K" onClick={keep} />
                <ActionButton
                  label="Убрать"
                  icon={IconTrash}
                  variant="default"
                  title="X"
                  aria-keyshortcuts="X"
                  onClick={drop}
                />
              </>
            )}
            {closed ? (
              <ActionButton
                label="Открыть снова"
                icon={IconRotate}
                variant="default"
                onClick={() => save.mutate({ id: appeal.id, status: 'open' })}
              />
            ) : (
              <ActionButton
                label="Закрыть…"
                icon={IconCheck}
                variant={isDraft ? 'default' : 'filled'}
                onClick={() => setClosing(true)}
              />
            )}
            {mayBook && <ActionButton label="Запись" icon={IconCalendarPlus} variant="default" onClick={book} />}
            {mayDeal && (
              <ActionButton
                label="Сделка"
                icon={IconBriefcase}
                variant="default"
                loading={busy}
                onClick={() => void deal()}
              />
            )}
            {mayTask && (
              <ActionButton label="Задача…" icon={IconListCheck} variant="default" onClick={() => setTasking(true)} />
            )}
            <ActionMenu label="Действия с обращением" variant="default" size={32}>
              <MenuItem label="Удалить" icon={IconTrash} danger onClick={drop} />
            </ActionMenu>
          </HStack>
        )}
        <Tags appeal={appeal} mayEdit={may} />
      </VStack>
      <RecordForm entity={Appeal} record={appeal} onSaved={() => notify.success('Обращение сохранено')}>
        <RecordFields
          names={[
            'description',
            'idCause',
            'idOwner',
            'deadline',
            'idFilial',
            ...(hasReferrers || appeal.idReferrer !== null ? (['idReferrer'] as const) : []),
            'idCustomer',
            'customerFullName',
            'customerPhone',
          ]}
        />
      </RecordForm>
      {appeal.entityType === 'call' && appeal.idEntity !== null && <Recording idCall={appeal.idEntity} />}
      <AppealLinks appeal={appeal} />
      <section aria-label="История">
        <h2>История</h2>
        <HistoryList entity={Appeal} id={appeal.id} />
      </section>
      {closing && <CloseDialog appeal={appeal} onClose={() => setClosing(false)} />}
      {tasking && <TaskDialog appeal={appeal} onClose={() => setTasking(false)} />}
    </VStack>
  )
}

/** Link to the call or chat of the appeal. */
function SourceLink({ appeal: { entityType, idEntity } }: Pick<Props, 'appeal'>) {
  const actor = useActor()
  const page = entityType === 'call' ? 'calls' : 'liveAssist'
  if (!entityType || idEntity === null || !pageAllowed(pageByKey(page), actor))
    return <SourceChip source={entityType} />
  const search = entityType === 'call' ? { open: idEntity } : { chat: idEntity, tab: 'all' }
  return (
    <PageLink page={page} search={search} aria-label={`${appealSourceText(entityType)} № ${idEntity}`}>
      <SourceChip source={entityType} />
    </PageLink>
  )
}

/** Recording of the call, for users with the right to listen. */
function Recording({ idCall }: { idCall: number }) {
  const actor = useActor()
  const sees = can(actor, 'view', Call)
  const { data: call } = useRecord(Call, idCall, {}, { enabled: sees, forbidden: 'silent' })
  if (!call?.hasRecord || !(holds(actor, 'listenCalls') || call.idUser === actor.id)) return null
  return (
    <section aria-label="Запись разговора">
      <h2>Запись разговора</h2>
      <Player idCall={idCall} />
    </section>
  )
}

const isPast = (moment: string): boolean => Date.parse(moment) < Date.now()

function Tags({ appeal, mayEdit }: { appeal: OpenAppeal; mayEdit: boolean }) {
  const [open, setOpen] = useState(false)
  const save = useSave(AppealTag)
  const remove = useRemove(AppealTag, {
    message: 'Метка снята',
    again: (id) => {
      const tag = appeal.tags.find((one) => one.id === id)
      return tag && { idAppeal: appeal.id, name: tag.name, color: tag.color, icon: tag.icon }
    },
  })
  const known = useList(AppealTag, { fields: ['name', 'color', 'icon'], sort: 'name', limit: KNOWN }, { enabled: open })
  const toggle = ({ name, color, icon }: NamedTag) => {
    const there = appeal.tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase())
    if (there) remove.mutate(there.id)
    else save.mutate({ idAppeal: appeal.id, name, color, icon })
  }
  if (!mayEdit && appeal.tags.length === 0) return null
  return (
    <HStack wrap gap={6}>
      {appeal.tags.map((tag) => (
        <TagChip key={tag.id} tag={tag} onRemove={mayEdit ? () => remove.mutate(tag.id) : undefined} />
      ))}
      {mayEdit && (
        <Popover opened={open} onChange={setOpen} width={280} position="bottom-start">
          <Popover.Target>
            <ActionButton
              label="Метка"
              icon={IconTag}
              size="compact-xs"
              variant="subtle"
              onClick={() => setOpen(!open)}
            />
          </Popover.Target>
          <Popover.Dropdown>
            <TagPicker
              known={distinctTags((known.data?.items ?? []) as NamedTag[])}
              tags={appeal.tags}
              onToggle={toggle}
            />
          </Popover.Dropdown>
        </Popover>
      )}
    </HStack>
  )
}

function TaskDialog({ appeal, onClose }: { appeal: OpenAppeal; onClose: () => void }) {
  const cache = useQueryClient()
  return (
    <TaskFromDialog
      title="Задача из обращения"
      name={appeal.nextStep || appeal.description?.split('\n')[0]?.slice(0, NAME) || ''}
      note="Задача попадёт в колонку новых и останется связана с обращением."
      make={async (body) => {
        await api('POST /appeals/:id/task', { params: { id: appeal.id }, body }, { forbidden: 'toast' })
        await invalidateRecords(cache, Appeal.path)
      }}
      onClose={onClose}
    />
  )
}
