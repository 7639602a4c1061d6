import { holds, ownedRefusal } from '@ordinator/model/access'
import {
  Examination,
  examinationStatuses,
  mayCorrect,
  mayReopen,
  maySign,
  mayWrite,
} from '@ordinator/model/areas/examinations/examination'
import { counted, formatDay } from '@ordinator/model/format'
import {
  IconArrowBackUp,
  IconCheck,
  IconCopy,
  IconFileTypePdf,
  IconPencilPlus,
  IconSignature,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { OrderTestsItem } from '#areas/laboratory/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { ExaminationAi } from '#areas/prompts/index.ts'
import { useGo } from '#base/address.ts'
import { api, apiUrl } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { download } from '#base/http.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RemoveItem } from '#records/RemoveItem.tsx'
import { SaveState } from '#records/SaveState.tsx'
import { useUploads } from '#records/useUploads.ts'
import { useRemove } from '#records/writes.ts'
import { uploadsOf } from '../editor/DraftEditor.tsx'
import type { ExaminationDraft, ExaminationRow } from '../editor/draft.ts'
import { useSaveStatus } from '../editor/useDraft.ts'
import type { OpenedProps } from './opened.ts'

export function Actions({ examination, draft, refresh }: OpenedProps & { draft: ExaminationDraft }) {
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
          reverse
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
