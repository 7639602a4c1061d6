import { Alert } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { PrintTemplate } from '@ordinator/model/areas/prints/printTemplate'
import { entityAt } from '@ordinator/model/entities'
import type { Entity, Row } from '@ordinator/model/entity'
import { inSentence } from '@ordinator/model/format'
import { IconFileTypePdf } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { api, apiUrl } from '#base/api.ts'
import { openFile } from '#base/http.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { RichText } from '#records/RichText.tsx'
import { useList } from '#records/reads.ts'
import classes from './Prints.module.css'

/** Milliseconds without typing until the sample is updated. */
const CALM_MS = 500

/** Preview of the text in the form with a record: the newest, or a chosen one. */
export function Preview({ template }: { template: Row<typeof PrintTemplate> }) {
  const entity = entityAt(template.entity) as Entity
  const [chosen, setChosen] = useState<number | null>(null)
  const [opening, setOpening] = useState(false)
  const newest = useList(entity, { sort: '-id', limit: 1, fields: ['id'] }, { forbidden: 'silent' })
  const record = chosen ?? newest.data?.items[0]?.id ?? null
  // The form's values arrive after the first render.
  const typed = useWatch({ name: ['body', 'header', 'footer'] }) as (string | null | undefined)[]
  const [body = template.body, header = template.header, footer = template.footer] = typed
  const [asked] = useDebouncedValue({ entity: template.entity, record, body, header, footer }, CALM_MS)
  const preview = useQuery({
    queryKey: ['print preview', asked],
    queryFn: ({ signal }) =>
      api('POST /print-templates/preview', { body: asked }, { signal, quiet: true, forbidden: 'silent' }),
    placeholderData: keepPreviousData,
    enabled: !newest.isPending,
    retry: false,
    gcTime: 0,
    meta: { reportsFailure: true },
  })
  const open = async () => {
    if (record === null) return
    setOpening(true)
    const address = apiUrl('GET /print-templates/:id/pdf', {
      params: { id: template.id },
      query: { record, sample: '1' },
    })
    await openFile(address, `${template.name}.pdf`)
      .catch(notifyFailure)
      .finally(() => setOpening(false))
  }
  return (
    <section className={classes.preview} aria-label="Образец">
      <VStack gap={8}>
        <HStack gap={8} align="flex-end" wrap>
          <RefSelect
            to={template.entity}
            label={`Образец: ${inSentence(entity.label[0])}`}
            value={record}
            onChange={(id) => setChosen(id)}
            openOnFocus={false}
            className={classes.record}
          />
          <ActionButton
            label="PDF"
            variant="default"
            icon={IconFileTypePdf}
            loading={opening}
            disabled={record === null}
            title="Сохранённый текст с этой записью, без номера"
            onClick={() => void open()}
          />
        </HStack>
        {preview.data && preview.data.problems.length > 0 && (
          <Alert color="yellow" variant="light" role="status" title="Поправьте, чтобы сохранить">
            {preview.data.problems.map((one) => (
              <div key={one} className="breaks">
                {one}
              </div>
            ))}
          </Alert>
        )}
        {record === null && !newest.isPending ? (
          <EmptyState title="Записей пока нет" text="Образец появится, когда будет что печатать" />
        ) : preview.isError ? (
          <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
        ) : preview.data ? (
          <div className={classes.sheet} aria-busy={preview.isPlaceholderData || undefined}>
            {preview.data.header && <Edge html={preview.data.header} />}
            <RichText html={preview.data.body || '<p>Текста пока нет</p>'} pictures />
            {preview.data.footer && <Edge html={preview.data.footer} />}
          </div>
        ) : (
          <LinesSkeleton lines={10} />
        )}
      </VStack>
    </section>
  )
}

const Edge = ({ html }: { html: string }) => (
  <div className={classes.edge}>
    <RichText html={html} pictures />
  </div>
)
