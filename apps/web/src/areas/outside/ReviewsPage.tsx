import { Badge, Textarea } from '@mantine/core'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { draftAnswer, isLow, Review, reviewStates } from '@ordinator/model/areas/outside/review'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { IconCopy, IconSend, IconUpload, IconWand } from '@tabler/icons-react'
import { useState } from 'react'
import { ImportDialog } from '#areas/imports/index.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { copyText } from '#kit/copy.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { useRecord } from '#records/reads.ts'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { useSave } from '#records/writes.ts'

type Line = Row<typeof Review>

const tabs: RecordParts<typeof Review>['tabs'] = {
  answer: { label: 'Ответ', panel: (review) => <Answer key={review.id} review={review} /> },
}

const columns: readonly ColumnSpec<Line>[] = [
  { key: 'dateReview', width: 150 },
  { key: 'site', width: 170 },
  { key: 'idFilial', width: 150 },
  {
    key: 'score',
    width: 96,
    cell: ({ site, score }) =>
      score === null ? (
        <Muted>—</Muted>
      ) : (
        <Badge color={isLow({ site, score }) ? 'red' : 'teal'} variant="light">
          {score} из {site === 'own' ? 10 : 5}
        </Badge>
      ),
  },
  { key: 'text', width: 360 },
  { key: 'idDoctor', width: 170 },
  {
    key: 'state',
    width: 130,
    cell: ({ state }) => (
      <Badge color={state === 'new' ? 'blue' : 'gray'} variant="light">
        {reviewStates[state]}
      </Badge>
    ),
  },
  { key: 'hoursToAnswer', width: 110, align: 'right' },
]

/** Отзывы: what patients have written, here and on maps, with a draft of the answer. */
export default function ReviewsPage() {
  return (
    <RegistryPage
      page={pageByKey('reviews')}
      entity={Review}
      columns={columns}
      tabs={tabs}
      tools={<FromFile />}
      isMuted={({ state }) => state !== 'new'}
    />
  )
}

/** Loads reviews from a file that a map or a monitoring service gives. */
function FromFile() {
  const [open, setOpen] = useState(false)
  if (!useCan('create', Review)) return null
  return (
    <>
      <ActionButton label="Загрузить из файла" variant="default" icon={IconUpload} onClick={() => setOpen(true)} />
      {open && (
        <ImportDialog
          kind="reviews"
          title="Отзывы с площадок"
          hint="CSV, XLSX или DBF: «Откуда», «Филиал», «Когда написан», «Кто написал», «Оценка» (до 5), «Отзыв», «О ком», «Номер на площадке». Загруженные раньше пропустим"
          template
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

function Answer({ review }: { review: Line }) {
  const { id, site, score, author, text, answer, url, idFilial } = review
  const filial = useRecord(Filial, idFilial)
  const mayAnswer = useCan('update', Review)
  const save = useSave(Review)
  const [written, setWritten] = useState(answer ?? '')
  const phone = filial.data?.filialPhone ?? null
  return (
    <VStack gap={16}>
      <VStack gap={4}>
        <Muted>{author ?? 'Имя не указано'}</Muted>
        <div>{text ?? 'Без текста, только оценка'}</div>
      </VStack>
      <Textarea
        label="Ответ"
        autosize
        minRows={4}
        maxLength={5000}
        value={written}
        readOnly={!mayAnswer}
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
      <Fine>
        Не пишите, что человек был на приёме, и ничего о лечении: это врачебная тайна, даже если он рассказал сам
      </Fine>
      {mayAnswer && (
        <HStack gap={8} wrap>
          <ActionButton
            label="Подставить черновик"
            icon={IconWand}
            variant="default"
            onClick={() => setWritten(draftAnswer({ site, score, author, phone }))}
          />
          <ActionButton
            label="Сохранить ответ"
            icon={IconSend}
            loading={save.isPending}
            disabled={written.trim() === '' || written === answer}
            onClick={() => save.mutate({ id, answer: written.trim(), state: 'answered' })}
          />
          {site !== 'own' && answer && (
            <ActionButton label="Скопировать" icon={IconCopy} variant="default" onClick={() => void copyText(answer)} />
          )}
        </HStack>
      )}
      {url && /^https:/.test(url) && (
        <a href={url} target="_blank" rel="noreferrer">
          Открыть на площадке
        </a>
      )}
    </VStack>
  )
}
