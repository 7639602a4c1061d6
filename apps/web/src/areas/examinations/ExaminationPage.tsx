import { Alert, Anchor, Button } from '@mantine/core'
import { holds, ownedRefusal } from '@ordinator/model/access'
import { ClinicalRecommendation } from '@ordinator/model/areas/clinical/clinical'
import {
  type Diagnosis,
  Examination,
  examinationStatuses,
  mayCorrect,
  mayReopen,
  maySign,
  mayWrite,
  type Prescription,
} from '@ordinator/model/areas/examinations/examination'
import { type ExaminationForm, isFilled, readyForm } from '@ordinator/model/areas/examinations/form'
import { diagnosisWords, prescriptionWords, valueWords } from '@ordinator/model/areas/examinations/paper'
import { keyOfPart, partLabel } from '@ordinator/model/areas/examinations/parts'
import type { Expanded } from '@ordinator/model/client'
import { counted, formatDay } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconCheck,
  IconCopy,
  IconFileTypePdf,
  IconFileUnknown,
  IconPencilPlus,
  IconSignature,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { ClinicalBlock } from '#areas/clinical/index.ts'
import { CustomerLink } from '#areas/customers/index.ts'
import { OrderTestsItem } from '#areas/laboratory/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { ExaminationAi } from '#areas/prompts/index.ts'
import { useGo } from '#base/address.ts'
import { id as idOf } from '#base/addressValues.ts'
import { api, apiUrl } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { download } from '#base/http.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { useRecordTitle } from '#base/title.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { StatePage } from '#kit/StatePage.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { plainText } from '#records/fields/richText.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RemoveItem } from '#records/RemoveItem.tsx'
import { useRecord } from '#records/reads.ts'
import { SaveState } from '#records/SaveState.tsx'
import { useUploads } from '#records/useUploads.ts'
import { useRemove } from '#records/writes.ts'
import { StatusMark } from './ExaminationStatus.tsx'
import { DraftEditor, ExaminationFiles, uploadsOf } from './editor/DraftEditor.tsx'
import type { ExaminationDraft, ExaminationRow } from './editor/draft.ts'
import { ReadView } from './editor/ReadView.tsx'
import { useExaminationDraft, useSaveStatus } from './editor/useDraft.ts'

const list = pageByKey('examinations')
const around = ['customer', 'user', 'signer', 'editor', 'corrects', 'corrections'] as const
type Opened = Expanded<typeof Examination, (typeof around)[number]>

/** Осмотр: the form of a draft, or the read-only view. */
export default function ExaminationPage() {
  const id = idOf((useParams({ strict: false }) as { id?: string }).id)
  const found = useRecord(Examination, id, { expand: around }, { forbidden: 'silent' })
  useRecordTitle(found.data && `${found.data.name}: ${found.data.customer?.shortFio ?? ''}`)
  if (id === undefined || (found.error instanceof ApiError && found.error.status === 404))
    return (
      <StatePage
        icon={IconFileUnknown}
        title="Осмотр не найден"
        text="Его удалили, это черновик другого врача или доступ к карте клиента ограничен."
        actions={<Button renderRoot={(props) => <PageLink {...props} page="examinations" />}>К осмотрам</Button>}
      />
    )
  if (found.isError && !found.data)
    return <ErrorState title="Осмотр не загрузился" error={found.error} onRetry={() => void found.refetch()} />
  return found.data ? (
    <OpenExamination key={`${id} ${found.data.status}`} examination={found.data} refresh={() => void found.refetch()} />
  ) : (
    <Block p="var(--ord-page)">
      <LinesSkeleton lines={10} />
    </Block>
  )
}

interface OpenedProps {
  examination: Opened
  refresh: () => void
}

function OpenExamination({ examination, refresh }: OpenedProps) {
  const actor = useActor()
  const cache = useQueryClient()
  const ready = useMemo(() => readyForm(examination.form as ExaminationForm), [examination.form])
  const draft = useExaminationDraft(examination, ready, {
    onSaved: () => void invalidateRecords(cache, Examination.path),
    onStale: refresh,
  })
  const writes = mayWrite(actor, examination)
  return (
    <>
      <Head examination={examination} draft={draft} refresh={refresh} />
      <VStack gap={16} px="var(--ord-page)" pb="var(--ord-page)">
        <Notices examination={examination} draft={draft} />
        {!ownedRefusal(actor, ClinicalRecommendation) && (
          <ClinicalBlock
            idExamination={examination.id}
            code={examination.code}
            day={examination.date}
            mayAnswer={writes && examination.idUser === actor.id}
          />
        )}
        {writes ? (
          <DraftEditor draft={draft} />
        ) : (
          <>
            <ReadView examination={examination} ready={ready} />
            <Block maw={900} component="section" framed p={16}>
              <ExaminationFiles idExamination={examination.id} mayEdit={false} />
            </Block>
          </>
        )}
      </VStack>
    </>
  )
}

/** Notices above an examination. */
function Notices({ examination, draft }: { examination: Opened; draft: ExaminationDraft }) {
  const { corrects, corrections, correction, signer, dateSigned } = examination
  const next = corrections.find(({ deleted }) => !deleted)
  const { message } = useSaveStatus(draft)
  return (
    <>
      {message && (
        <Alert color="yellow" variant="light" role="alert">
          {message}
        </Alert>
      )}
      <Leftover draft={draft} />
      {corrects && (
        <Alert color="blue" variant="light">
          Версия {examination.number}. Исправляет{' '}
          <Anchor
            inherit
            renderRoot={(props) => <PageLink {...props} page="examination" params={{ id: corrects.id }} />}
          >
            осмотр от {formatDay(corrects.date)}
          </Anchor>
          : {correction}
        </Alert>
      )}
      {next && (
        <Alert color="yellow" variant="light">
          {examination.status === 'corrected' ? 'Этот осмотр исправлен: действует' : 'Начато исправление:'}{' '}
          <Anchor inherit renderRoot={(props) => <PageLink {...props} page="examination" params={{ id: next.id }} />}>
            версия {next.number}
          </Anchor>
          .
        </Alert>
      )}
      {dateSigned && (
        <Muted component="p">
          Подписал(а) {signer ? <UserLink user={signer} /> : 'врач'}, {formatDateTime(dateSigned)}. Подписанное не
          меняют: ошибку исправляют новой версией.
        </Muted>
      )}
    </>
  )
}

/** Changes left out when another user finished the examination: to restore or discard. */
function Leftover({ draft }: { draft: ExaminationDraft }) {
  useSaveStatus(draft)
  const left = Object.entries(draft.leftover())
  if (left.length === 0) return null
  return (
    <Alert color="yellow" variant="light" role="status" title="Ваши правки не записаны: осмотр завершили раньше">
      <VStack gap={6}>
        <VStack component="ul" gap={4} className="breaks">
          {left.map(([part, value]) => (
            <li key={part}>
              {partLabel(part, draft.ready.fields)}: {wordsOf(draft, part, value)}
            </li>
          ))}
        </VStack>
        <Muted component="p">Верните осмотр в черновик, и они встанут на место.</Muted>
        <HStack>
          <ActionButton
            label="Отбросить правки"
            size="compact-sm"
            variant="default"
            onClick={() => draft.dropLeftover()}
          />
        </HStack>
      </VStack>
    </Alert>
  )
}

function wordsOf(draft: ExaminationDraft, part: string, value: unknown): string {
  const field = draft.ready.fields.get(keyOfPart(part) ?? '')
  if (!isFilled(value)) return 'очищено'
  if (field) return field.type === 'rich' ? plainText(value) : valueWords(field, value)
  if (part === 'diagnoses') return (value as Diagnosis[]).map(diagnosisWords).join('; ')
  if (part === 'prescriptions') return (value as Prescription[]).map(prescriptionWords).join('; ')
  return Array.isArray(value) ? value.join('; ') : formatDay(String(value))
}

function Head({ examination, draft, refresh }: OpenedProps & { draft: ExaminationDraft }) {
  const { name, customer, user, status, date } = examination
  return (
    <PageHead
      start={
        <IconButton
          icon={IconArrowLeft}
          label={`К списку: ${list.title}`}
          renderRoot={(props) => <PageLink {...props} page="examinations" />}
        />
      }
      title={name}
      help={
        <HStack component="span" gap="4px 12px" wrap display="inline-flex">
          {customer ? <CustomerLink customer={customer} tab="examinations" /> : 'Клиент вам не виден'}
          <span>{formatDay(date)}</span>
          {user && <UserLink user={user} />}
          <StatusMark status={status} />
        </HStack>
      }
      actions={<Actions examination={examination} draft={draft} refresh={refresh} />}
    />
  )
}

function Actions({ examination, draft, refresh }: OpenedProps & { draft: ExaminationDraft }) {
  const { id, name } = examination
  const actor = useActor()
  const go = useGo()
  const cache = useQueryClient()
  const save = useSaveStatus(draft)
  const sending = useUploads(uploadsOf(id))
  const [busy, setBusy] = useState<string>()
  const [correcting, setCorrecting] = useState(false)
  const remove = useRemove(Examination)
  const writes = mayWrite(actor, examination)

  /** Runs a step: shows a refusal, and reloads the record. */
  const step = async (what: string, run: () => Promise<unknown>, done: string) => {
    setBusy(what)
    try {
      await run()
      await invalidateRecords(cache, Examination.path)
      notify.success(done)
    } catch (error) {
      if (error instanceof ApiError && error.status === 422) {
        draft.showErrors(error.byField)
        const [first] = Object.keys(error.byField)
        document.querySelector(`[data-part="${CSS.escape(first ?? '')}"]`)?.scrollIntoView({ block: 'center' })
      } else refresh()
      notify.error(errorMessage(error))
    }
    setBusy(undefined)
  }
  const quiet = { forbidden: 'toast' } as const
  const finish = async () => {
    if (sending.some(({ status: state }) => state !== 'failed'))
      return void notify.error('Дождитесь, пока загрузятся файлы: к завершённому осмотру их не прикрепить')
    // Saves typed changes first; without success the examination stays a draft.
    if (draft.hasChanges() && !(await draft.flush()))
      return void notify.error('Сначала сохраните изменения: часть из них не записана')
    await step(
      'finish',
      () => api('POST /examinations/:id/finish', { params: { id }, body: { _version: draft.version() } }, quiet),
      'Осмотр завершён',
    )
  }
  const sign = async () => {
    const question = {
      title: 'Подписать осмотр?',
      message: 'Подписанное не меняют: ошибку исправляют новой версией.',
      confirm: 'Подписать',
    }
    if (!(await confirm(question))) return
    await step(
      'sign',
      () => api('POST /examinations/:id/sign', { params: { id }, body: { _version: examination._version } }, quiet),
      'Осмотр подписан',
    )
  }
  const print = async () => {
    try {
      if (draft.hasChanges()) await draft.flush()
      await download(apiUrl('GET /examinations/:id/print', { params: { id } }), `${name}.pdf`)
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Осмотр не распечатан' })
    }
  }
  return (
    <>
      {writes && <SaveState state={save} onRetry={() => void draft.flush()} />}
      {writes && (
        <ActionButton label="Завершить" icon={IconCheck} loading={busy === 'finish'} onClick={() => void finish()} />
      )}
      {maySign(actor, examination) && (
        <ActionButton label="Подписать" icon={IconSignature} loading={busy === 'sign'} onClick={() => void sign()} />
      )}
      {mayReopen(actor, examination) && (
        <ActionButton
          label="Вернуть в черновик"
          variant="default"
          icon={IconArrowBackUp}
          loading={busy === 'reopen'}
          onClick={() =>
            void step(
              'reopen',
              () =>
                api(
                  'POST /examinations/:id/reopen',
                  { params: { id }, body: { _version: examination._version } },
                  quiet,
                ),
              'Осмотр снова черновик',
            )
          }
        />
      )}
      {mayCorrect(actor, examination) && (
        <ActionButton label="Исправить…" variant="default" icon={IconPencilPlus} onClick={() => setCorrecting(true)} />
      )}
      {writes && holds(actor, 'iiProtocolPrompt') && !ownedRefusal(actor, { path: 'examinations/:id/prompt' }) && (
        <ExaminationAi
          id={id}
          ready={draft.ready}
          contents={() => draft.contents()}
          flush={async () => !draft.hasChanges() || (await draft.flush())}
          onTaken={refresh}
        />
      )}
      <PrintMenu
        entity="examinations"
        id={id}
        label="Печать по шаблону"
        before={async () => draft.hasChanges() && draft.flush()}
      />
      <ActionMenu label="Другие действия" variant="default" width={260}>
        <MenuItem label="Скачать PDF" icon={IconFileTypePdf} onClick={() => void print()} />
        <OrderTestsItem
          from={{
            customer: examination.idCustomer,
            examination: id,
            doctor: examination.idUser,
            ...(examination.idAppointment && { visit: examination.idAppointment }),
          }}
        />
        {writes && (
          <MenuItem
            label="Заполнить из прошлого осмотра"
            icon={IconCopy}
            onClick={() => void fillFromPrevious(examination, draft)}
          />
        )}
        {writes && (
          <RemoveItem
            entity={Examination}
            row={examination}
            label="Удалить черновик"
            onRemove={() =>
              remove.mutate(id, { onSuccess: () => void go({ page: 'examinations' }, { replace: true }) })
            }
          />
        )}
      </ActionMenu>
      {correcting && (
        <WordsDialog
          title="Исправить подписанный осмотр"
          label="Причина исправления"
          description="Откроется черновик новой версии. Подписанная останется как есть, пока вы не подпишете новую."
          required
          max={1000}
          action="Исправить"
          run={async (reason) => {
            const made = await api('POST /examinations/:id/correct', { params: { id }, body: { reason } }, quiet)
            await invalidateRecords(cache, Examination.path)
            void go({ page: 'examination', params: { id: made.id } })
          }}
          onClose={() => setCorrecting(false)}
        />
      )}
    </>
  )
}

/** Fills empty fields from the patient's last examination with the same template. */
async function fillFromPrevious(examination: ExaminationRow, draft: ExaminationDraft): Promise<void> {
  const { idCustomer, idTemplate, id } = examination
  const { items } = await records.list(Examination, {
    filter: { idCustomer, idTemplate, status: { in: ['done', 'signed'] }, id: { neq: id } },
    sort: ['-date', '-id'],
    limit: 1,
  })
  const [last] = items
  if (!last)
    return void notify.info(
      `Прошлых осмотров по этому шаблону нет среди тех, что вам видны (${examinationStatuses.done.toLowerCase()} или ${examinationStatuses.signed.toLowerCase()})`,
    )
  const { parts, unfit } = draft.offered(last)
  const left = unfit
    ? `Не подходит к этой форме и не взято: ${counted(unfit, ['значение', 'значения', 'значений'])}.`
    : undefined
  if (Object.keys(parts).length === 0) return void notify.info(left ?? 'Пустых полей, заполненных в прошлый раз, нет')
  if (
    !(await confirm({
      title: 'Заполнить из прошлого осмотра',
      message: `Из осмотра от ${formatDay(last.date)} возьмём то, что здесь пусто. Заполненное останется.`,
      confirm: 'Заполнить',
    }))
  )
    return
  for (const [part, value] of Object.entries(parts)) draft.set(part, value)
  notify.success([`Заполнено из осмотра от ${formatDay(last.date)}`, left].filter(Boolean).join('. '))
}
