import { Checkbox, Radio, Select, Table, Textarea, VisuallyHidden } from '@mantine/core'
import { ApplicationFile, ApplicationPaper, AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import { areaKinds } from '@ordinator/model/areas/attachment/area'
import {
  type ApplicationStep,
  applicationSteps,
  bases,
  careTypes,
  isWaiting,
  loadOf,
  sources,
} from '@ordinator/model/areas/attachment/rules'
import { ageText } from '@ordinator/model/areas/customers/age'
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { Answered } from '@ordinator/model/call'
import type { Calls } from '@ordinator/model/calls'
import type { Row } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import { messages } from '@ordinator/model/messages'
import { pageByKey } from '@ordinator/model/pages'
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleCheck,
  IconPlugConnectedX,
  IconSend,
  IconUserCheck,
  IconX,
} from '@tabler/icons-react'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Notice } from '#areas/eln/index.ts'
import { Attachments } from '#areas/files/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { recordsWith } from '#base/client.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime, today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RemoveItem } from '#records/RemoveItem.tsx'
import { retries } from '#records/reads.ts'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { tellFailure } from '#records/tellFailure.ts'
import type { UploadTarget } from '#records/uploads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import { ApplicationStatus } from './ApplicationStatus.tsx'
import classes from './Attachment.module.css'
import { DueMark } from './DueMark.tsx'

type ApplicationRow = Row<typeof AttachmentApplication>
type State = Answered<Calls['GET /attachment/applications/:id/state']>
const toast = { forbidden: 'toast' } as const
const live = [
  'attachment/application-files',
  'attachment/attachments',
  'attachment/areas',
  'customers',
  'customers/policies',
]

/** Заявление о прикреплении: application beside the card, checks, area, decision. */
export default function ApplicationPage() {
  return (
    <RegistryRecordPage
      entity={AttachmentApplication}
      list={pageByKey('attachment')}
      live={live}
      help={({ number, submittedAt, source }) =>
        `№ ${number ?? '—'}, ${sources[source].toLowerCase()}, подано ${formatDateTime(submittedAt)}`
      }
      actions={(one) => <Actions one={one} />}
      under={(one) => <Head one={one} />}
      main={{ label: 'Решение', panel: (one) => <Board one={one} /> }}
    />
  )
}

function Head({ one }: { one: ApplicationRow }) {
  return (
    <HStack wrap gap="6px 16px" mb={8}>
      <ApplicationStatus status={one.status} size="lg" />
      <span>
        {one.birthday}, {ageText(one.birthday, today())}
      </span>
      <span>{careTypes[one.careType]}</span>
      <span>{bases[one.basis].toLowerCase()}</span>
      {one.phone && <PhoneLink phone={one.phone} />}
      {isWaiting(one.status) && <DueMark {...one} before="ответить до" />}
    </HStack>
  )
}

const useFresh = () => {
  const cache = useQueryClient()
  return () => invalidateRecords(cache, AttachmentApplication.path)
}

const useApplicationState = (id: number) =>
  useQuery({
    queryKey: [AttachmentApplication.path, 'state', id],
    queryFn: ({ signal }) =>
      api('GET /attachment/applications/:id/state', { params: { id } }, { signal, forbidden: 'silent' }),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: [AttachmentApplication.path, ...live] },
  })

function Board({ one }: { one: ApplicationRow }) {
  const state = useApplicationState(one.id)
  if (state.isError) return <ErrorState error={state.error} onRetry={() => void state.refetch()} />
  if (!state.data) return <LinesSkeleton lines={10} />
  return (
    <div className={classes.board}>
      <VStack gap={20} miw={0}>
        <Comparison one={one} state={state.data} />
        <Papers one={one} />
      </VStack>
      <VStack gap={16} miw={0}>
        <Decision one={one} state={state.data} />
        <Checks state={state.data} />
        <Areas one={one} state={state.data} />
      </VStack>
    </div>
  )
}

/** Data of the application beside the card; differences can be chosen and copied to the card. */
function Comparison({ one, state }: { one: ApplicationRow; state: State }) {
  const fresh = useFresh()
  const mayEdit = useCan('update', Customer)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const card = state.idCustomer ?? state.cards[0]?.id ?? null
  const isBound = state.idCustomer !== null
  const bind = useMutation({
    mutationFn: (body: { idCustomer?: number; fields: string[] }) =>
      api('POST /attachment/applications/:id/card', { params: { id: one.id }, body }, toast),
    onError: tellFailure,
    onSuccess: async (_, { fields }) => {
      setChosen([])
      await fresh()
      notify.success(fields.length ? 'Карта обновлена' : 'Заявление связано с картой')
    },
  })
  const rows = state.differences
  return (
    <section aria-label="Заявление и карта">
      <HStack justify="space-between" wrap mb={8}>
        <h2 className={classes.title}>Заявление и карта</h2>
        {card !== null && (
          <PageLink page="customer" search={{ id: card }}>
            Открыть карту
          </PageLink>
        )}
      </HStack>
      {!isBound && state.cards.length > 0 && (
        <Notice icon={IconUserCheck} color="blue">
          <VStack gap={6}>
            <span>Похоже, карта уже есть:</span>
            {state.cards.map(({ id, fio, birthday, by }) => (
              <HStack key={id} wrap gap={8}>
                <span>
                  {fio}, {birthday ?? 'без даты рождения'} <Fine>по: {by}</Fine>
                </span>
                {mayEdit && (
                  <ActionButton
                    label="Это он(а)"
                    size="compact-sm"
                    variant="default"
                    loading={bind.isPending}
                    onClick={() => bind.mutate({ idCustomer: id, fields: [] })}
                  />
                )}
              </HStack>
            ))}
          </VStack>
        </Notice>
      )}
      {!isBound && mayEdit && (
        <HStack my={8}>
          <ActionButton
            label={state.cards.length ? 'Это другой человек: новая карта' : 'Завести карту по заявлению'}
            variant={state.cards.length ? 'subtle' : 'default'}
            loading={bind.isPending}
            onClick={() => bind.mutate({ fields: [] })}
          />
        </HStack>
      )}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
        <section className={classes.scroll} tabIndex={0} aria-label="Заявление и карта: таблица">
          <Table miw={420} verticalSpacing={5} horizontalSpacing={8}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={36}>
                  <VisuallyHidden>Взять в карту</VisuallyHidden>
                </Table.Th>
                <Table.Th>Поле</Table.Th>
                <Table.Th>Заявление</Table.Th>
                <Table.Th>Карта</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ field, label, application, card: there, differs }) => (
                <Table.Tr key={field} className={classes.row} data-differs={differs || undefined}>
                  <Table.Td>
                    {differs && isBound && mayEdit && (
                      <Checkbox
                        aria-label={`Взять в карту: ${label}`}
                        checked={chosen.includes(field)}
                        onChange={(event) =>
                          setChosen(
                            event.currentTarget.checked ? [...chosen, field] : chosen.filter((name) => name !== field),
                          )
                        }
                      />
                    )}
                  </Table.Td>
                  <Table.Td>
                    <Fine>{label}</Fine>
                  </Table.Td>
                  <Table.Td>{application ?? <Muted>—</Muted>}</Table.Td>
                  <Table.Td>{there ?? <Muted>—</Muted>}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
      {isBound && mayEdit && rows.some(({ differs }) => differs) && (
        <HStack mt={8} wrap>
          <ActionButton
            label={chosen.length ? `Обновить карту (${chosen.length})` : 'Обновить карту'}
            disabled={chosen.length === 0}
            loading={bind.isPending}
            onClick={() => bind.mutate({ fields: [...chosen] })}
          />
          <ActionButton
            label="Выбрать всё, что отличается"
            variant="subtle"
            onClick={() => setChosen(rows.filter(({ differs }) => differs).map(({ field }) => field))}
          />
        </HStack>
      )}
    </section>
  )
}

const toApplication = (idApplication: number, cache: QueryClient): UploadTarget => ({
  key: `attachment:${idApplication}`,
  stored: ApplicationPaper,
  whereToLook: 'Откройте заявление, чтобы повторить.',
  async take({ id }) {
    await quiet.create(ApplicationFile, { idApplication, idFile: id })
    await invalidateRecords(cache, ApplicationFile.path)
  },
})

/** Errors are shown at the file itself. */
const quiet = recordsWith({ forbidden: 'silent' })

function Papers({ one }: { one: ApplicationRow }) {
  return (
    <>
      <Attachments
        links={ApplicationFile}
        of={{ idApplication: one.id }}
        target={(cache) => toApplication(one.id, cache)}
        mayEdit={useCan('create', ApplicationFile)}
        to="к заявлению"
        order={2}
      />
      {(one.question || one.answer) && (
        <section aria-label="Переписка">
          {one.question && <p>Спросили: {one.question}</p>}
          {one.answer && <p>Ответили: {one.answer}</p>}
        </section>
      )}
    </>
  )
}

function Checks({ state }: { state: State }) {
  return (
    <section aria-label="Проверки">
      <h2 className={classes.title}>Проверки</h2>
      <ul className={classes.checks}>
        {state.checks.map(({ key, level, words }) => (
          <li key={key} data-level={level}>
            {level === 'ok' ? <IconCheck size={16} aria-hidden /> : <IconAlertTriangle size={16} aria-hidden />}
            <span>{words}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Areas({ one, state }: { one: ApplicationRow; state: State }) {
  const save = useSave(AttachmentApplication)
  const mayEdit = isWaiting(one.status)
  if (state.areas.length === 0)
    return (
      <Muted>
        Участков для этого вида помощи нет. <PageLink page="attachmentAreas">Завести участок</PageLink>
      </Muted>
    )
  return (
    <section aria-label="Участок">
      <h2 className={classes.title}>Участок</h2>
      <Radio.Group
        aria-label="Участок"
        value={String(one.idArea ?? '')}
        onChange={(value) => save.mutate({ id: one.id, idArea: Number(value), _version: one._version })}
      >
        <VStack gap={8}>
          {state.areas.map((area) => (
            <Radio
              key={area.id}
              value={String(area.id)}
              disabled={!mayEdit}
              label={
                <>
                  {area.name} <Fine>{areaKinds[area.kind].toLowerCase()}</Fine>
                </>
              }
              description={[
                area.isTheirs && 'по адресу',
                area.doctor,
                `${area.attached} из ${area.norm}${loadOf(area) >= 1 ? ', норма заполнена' : ''}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            />
          ))}
        </VStack>
      </Radio.Group>
    </section>
  )
}

type Asking = 'ask' | 'answer' | 'approve' | 'refuse' | 'withdraw' | 'attach'

/** Available decisions. */
function Decision({ one, state }: { one: ApplicationRow; state: State }) {
  const { id, status, _version } = one
  const fresh = useFresh()
  const mayEdit = useCan('update', AttachmentApplication)
  const [asking, setAsking] = useState<Asking>()
  const can = (step: ApplicationStep) => mayEdit && applicationSteps[step].from.includes(status)
  const params = { id }
  const step = (path: 'check' | 'send') => ({
    mutationFn: () =>
      path === 'check'
        ? api('POST /attachment/applications/:id/check', { params, body: { _version } }, toast)
        : api('POST /attachment/applications/:id/send', { params, body: { _version } }, toast),
    onError: tellFailure,
    onSuccess: async () => {
      await fresh()
      notify.success(path === 'check' ? 'Заявление на проверке' : 'Отправлено в ТФОМС')
    },
  })
  const check = useMutation(step('check'))
  const send = useMutation(step('send'))
  const errors = state.checks.filter(({ level }) => level === 'error')
  return (
    <Block component="section" framed p={12} aria-label="Решение">
      <VStack gap={10}>
        <h2 className={classes.title}>{titles[status]}</h2>
        {one.decisionReason && <Muted>{one.decisionReason}</Muted>}
        {one.attachedFrom && ['approved', 'sent', 'attached'].includes(status) && (
          <span>Прикрепить с {formatDay(one.attachedFrom)}</span>
        )}
        {one.protocol && <p className={classes.protocol}>{one.protocol}</p>}
        {can('send') && !state.exchange.isSet && (
          <Notice icon={IconPlugConnectedX} color="gray">
            {state.exchange.words}
          </Notice>
        )}
        <HStack wrap gap={8}>
          {can('check') && (
            <ActionButton label="Взять на проверку" loading={check.isPending} onClick={() => check.mutate()} />
          )}
          {can('approve') && (
            <ActionButton label="Одобрить" icon={IconCircleCheck} onClick={() => setAsking('approve')} />
          )}
          {can('answer') && <ActionButton label="Заявитель ответил" onClick={() => setAsking('answer')} />}
          {can('send') && state.exchange.isSet && (
            <ActionButton
              label="Отправить в ТФОМС"
              icon={IconSend}
              loading={send.isPending}
              onClick={() => send.mutate()}
            />
          )}
          {can('attach') && (
            <ActionButton
              label="Прикрепить"
              variant={state.exchange.isSet ? 'default' : 'filled'}
              icon={IconUserCheck}
              onClick={() => setAsking('attach')}
            />
          )}
          {can('ask') && <ActionButton label="Запросить сведения" variant="default" onClick={() => setAsking('ask')} />}
          {can('refuse') && (
            <ActionButton label="Отказать" variant="default" icon={IconX} onClick={() => setAsking('refuse')} />
          )}
        </HStack>
        {can('withdraw') && (
          <HStack>
            <ActionButton label="Заявитель отозвал" variant="subtle" onClick={() => setAsking('withdraw')} />
          </HStack>
        )}
      </VStack>
      {asking === 'approve' && (
        <ApproveDialog one={one} errors={errors.map(({ words }) => words)} onClose={() => setAsking(undefined)} />
      )}
      {asking === 'attach' && <AttachDialog one={one} onClose={() => setAsking(undefined)} />}
      {asking === 'refuse' && <RefuseDialog one={one} onClose={() => setAsking(undefined)} />}
      {asking === 'ask' && (
        <WordsDialog
          title="Запросить сведения"
          label="Что нужно"
          action="Запросить"
          onClose={() => setAsking(undefined)}
          run={async (question) => {
            await api('POST /attachment/applications/:id/ask', { params, body: { question, _version } }, toast)
            await fresh()
          }}
        />
      )}
      {asking === 'answer' && (
        <WordsDialog
          title="Ответ заявителя"
          label="Что ответил"
          action="Записать"
          onClose={() => setAsking(undefined)}
          run={async (answer) => {
            await api('POST /attachment/applications/:id/answer', { params, body: { answer, _version } }, toast)
            await fresh()
          }}
        />
      )}
      {asking === 'withdraw' && (
        <WordsDialog
          title="Заявитель отозвал заявление"
          label="Почему"
          action="Отозвать"
          onClose={() => setAsking(undefined)}
          run={async (reason) => {
            await api('POST /attachment/applications/:id/withdraw', { params, body: { reason, _version } }, toast)
            await fresh()
          }}
        />
      )}
    </Block>
  )
}

const titles: Record<ApplicationRow['status'], string> = {
  new: 'Новое: возьмите на проверку',
  check: 'Проверьте и решите',
  needInfo: 'Ждём сведений от заявителя',
  approved: 'Одобрено',
  sent: 'Ждём ответа ТФОМС',
  attached: 'Прикреплён',
  refused: 'Отказано',
  withdrawn: 'Отозвано',
}

interface DialogProps {
  one: ApplicationRow
  onClose: () => void
}

function ApproveDialog({ one, errors, onClose }: DialogProps & { errors: readonly string[] }) {
  const fresh = useFresh()
  const [attachedFrom, setFrom] = useState<string | null>(today())
  const [despite, setDespite] = useState('')
  return (
    <ActionDialog
      title="Одобрить прикрепление"
      action="Одобрить"
      faults={{
        attachedFrom: !attachedFrom && messages.required,
        despite: errors.length > 0 && !despite.trim() && 'Есть ошибки: напишите, почему всё же прикрепить',
      }}
      onClose={onClose}
      run={async () => {
        await api(
          'POST /attachment/applications/:id/approve',
          {
            params: { id: one.id },
            body: { attachedFrom: attachedFrom as string, ...(despite.trim() && { despite }), _version: one._version },
          },
          toast,
        )
        await fresh()
        notify.success('Заявление одобрено')
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          {errors.length > 0 && (
            <ul className={classes.checks}>
              {errors.map((words) => (
                <li key={words} data-level="error">
                  <IconAlertTriangle size={16} aria-hidden />
                  <span>{words}</span>
                </li>
              ))}
            </ul>
          )}
          <DateField
            label="Прикрепить с"
            required
            value={attachedFrom}
            error={errorOf('attachedFrom')}
            onChange={setFrom}
          />
          {errors.length > 0 && (
            <Textarea
              label="Почему всё же прикрепить"
              required
              autosize
              minRows={2}
              maxLength={500}
              value={despite}
              error={errorOf('despite')}
              onChange={(event) => setDespite(event.currentTarget.value)}
            />
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}

function AttachDialog({ one, onClose }: DialogProps) {
  const fresh = useFresh()
  const [attachedFrom, setFrom] = useState<string | null>(one.attachedFrom ?? today())
  return (
    <ActionDialog
      title="Прикрепить"
      action="Прикрепить"
      faults={{ attachedFrom: !attachedFrom && messages.required }}
      onClose={onClose}
      run={async () => {
        await api(
          'POST /attachment/applications/:id/attach',
          { params: { id: one.id }, body: { attachedFrom: attachedFrom as string, _version: one._version } },
          toast,
        )
        await fresh()
        notify.success('Прикреплён')
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <span>ТФОМС подтвердил прикрепление не через обмен, или обмена у клиники нет.</span>
          <DateField
            label="С какого дня"
            required
            value={attachedFrom}
            error={errorOf('attachedFrom')}
            onChange={setFrom}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}

function RefuseDialog({ one, onClose }: DialogProps) {
  const fresh = useFresh()
  const [reason, setReason] = useState<string | null>(null)
  const reasons = useQuery({
    queryKey: ['attachment', 'reasons'],
    queryFn: ({ signal }) => api('GET /attachment/reasons', {}, { signal, forbidden: 'silent' }),
    retry: retries,
  })
  return (
    <ActionDialog
      title="Отказать в прикреплении"
      action="Отказать"
      danger
      faults={{ reason: !reason && messages.required }}
      onClose={onClose}
      run={async () => {
        await api(
          'POST /attachment/applications/:id/refuse',
          { params: { id: one.id }, body: { reason: reason as string, _version: one._version } },
          toast,
        )
        await fresh()
        notify.success('Отказ записан')
      }}
    >
      {(errorOf) => (
        <Select
          label="Причина"
          required
          data-autofocus
          description="Список задают в настройках прикрепления"
          data={reasons.data?.reasons ?? []}
          value={reason}
          error={errorOf('reason')}
          onChange={setReason}
        />
      )}
    </ActionDialog>
  )
}

function Actions({ one }: { one: ApplicationRow }) {
  const go = useGo()
  const mayEdit = useCan('update', AttachmentApplication)
  const remove = useRemove(AttachmentApplication, { message: 'Заявление удалено' })
  return (
    <>
      <PrintMenu entity="attachment/applications" id={one.id} />
      {mayEdit && (
        <ActionMenu label="Другие действия" variant="default">
          {one.idCustomer && (
            <MenuItem
              label="Карта заявителя"
              icon={IconUserCheck}
              onClick={() => void go({ page: 'customer', search: { id: one.idCustomer as number } })}
            />
          )}
          <RemoveItem
            entity={AttachmentApplication}
            row={one}
            label="Удалить заявление"
            onRemove={() =>
              remove.mutate(one.id, { onSuccess: () => void go({ page: 'attachment' }, { replace: true }) })
            }
          />
        </ActionMenu>
      )}
    </>
  )
}
