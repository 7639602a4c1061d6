import { Anchor, Select, Textarea } from '@mantine/core'
import type { Printed } from '@ordinator/model/areas/prints/printTemplate'
import { formatDate } from '@ordinator/model/format'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, api, apiUrl } from '#base/api.ts'
import { openFile } from '#base/http.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { zoneNow } from '#kit/clock.ts'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { retries } from '#records/reads.ts'

interface Props {
  entity: Printed
  /** Id of the record. */
  id: number
  onClose: () => void
}

type Kept = Answer<'GET /print-templates/numbered'>['items'][number]

/** Opens a document of a record. @param version a former one */
export const openPaper = (
  idTemplate: number,
  name: string,
  record: number,
  more: { idFilial?: number; version?: number } = {},
) =>
  openFile(
    apiUrl('GET /print-templates/:id/pdf', { params: { id: idTemplate }, query: { record, ...more } }),
    `${name}.pdf`,
  )

/** A document with a number is made anew with today's requisites and names; the former version stays. */
export function ReissueDialog({ entity, id, onClose }: Props) {
  const [chosen, setChosen] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const found = useQuery({
    queryKey: ['numbered', entity, id],
    queryFn: ({ signal }) => api('GET /print-templates/numbered', { query: { entity, record: id } }, { signal }),
    retry: retries,
    gcTime: 0,
  })
  const items = found.data?.items ?? []
  const paper = items.find(({ idTemplate }) => idTemplate === chosen) ?? items[0]
  return (
    <ActionDialog
      title="Перевыпустить документ"
      action="Перевыпустить и открыть"
      disabled={!paper || reason.trim().length < 3}
      run={async () => {
        const { idTemplate, name } = paper as Kept
        await api('POST /print-templates/:id/reissue', { params: { id: idTemplate }, body: { record: id, reason } })
        await openPaper(idTemplate, name, id)
      }}
      onClose={onClose}
    >
      {(errorOf) =>
        found.isPending ? (
          <Fine role="status">Ищем напечатанные документы…</Fine>
        ) : found.isError ? (
          <Fine role="alert">Не удалось прочитать документы: закройте окно и попробуйте ещё раз</Fine>
        ) : !paper ? (
          <Fine>Документов с номером ещё не печатали: при первой печати они возьмут то, что действует сейчас.</Fine>
        ) : (
          <VStack gap={12}>
            <Fine>
              Номер останется прежним, реквизиты, адреса и имена станут нынешними. Прежняя редакция сохранится с
              причиной.
            </Fine>
            <Select
              label="Документ"
              data={items.map((one) => ({ value: String(one.idTemplate), label: titleOf(one) }))}
              value={String(paper.idTemplate)}
              allowDeselect={false}
              onChange={(value) => setChosen(Number(value))}
            />
            <Textarea
              label="Причина"
              placeholder="Опечатка в адресе"
              required
              autosize
              minRows={2}
              maxLength={300}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              error={errorOf('reason')}
              data-autofocus
            />
            {paper.former.length > 0 && (
              <VStack gap={4}>
                <b>Прежние редакции</b>
                {paper.former.map(({ version, reason: why, by, date }) => (
                  <Fine key={version}>
                    <Anchor
                      component="button"
                      type="button"
                      inherit
                      onClick={() => void openPaper(paper.idTemplate, paper.name, id, { version }).catch(notifyFailure)}
                    >
                      Ред. {version}
                    </Anchor>{' '}
                    заменена {formatDate(date, zoneNow())}: {why} ({by})
                  </Fine>
                ))}
              </VStack>
            )}
          </VStack>
        )
      }
    </ActionDialog>
  )
}

const titleOf = ({ name, number, version }: Kept): string =>
  `${name} № ${number}${version > 1 ? `, ред. ${version}` : ''}`
