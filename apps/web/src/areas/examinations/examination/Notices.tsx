import { Alert, Anchor } from '@mantine/core'
import type { Diagnosis, Prescription } from '@ordinator/model/areas/examinations/examination'
import { isFilled } from '@ordinator/model/areas/examinations/formValues'
import { diagnosisWords, prescriptionWords, valueWords } from '@ordinator/model/areas/examinations/paper'
import { keyOfPart, partLabel } from '@ordinator/model/areas/examinations/parts'
import { formatDay } from '@ordinator/model/format'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { plainText } from '#records/fields/richText.tsx'
import type { ExaminationDraft } from '../editor/draft.ts'
import { useSaveStatus } from '../editor/useDraft.ts'
import type { Opened } from './opened.ts'

/** Notices above an examination. */
export function Notices({ examination, draft }: { examination: Opened; draft: ExaminationDraft }) {
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
