import { News } from '@ordinator/model/areas/news/news'
import { pageAllowed, pageByKey } from '@ordinator/model/pages'
import { IconNewsOff } from '@tabler/icons-react'
import { useGo } from '#base/address.ts'
import { useActor } from '#base/session.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { useCan } from '#records/Can.tsx'
import { NewsForm } from './form/NewsForm.tsx'
import { NewsView } from './item/NewsView.tsx'
import { useOpenNews } from './item/useOpenNews.ts'

interface Props {
  /** 'new': a new item. */
  id: number | 'new'
  editing: boolean
  onEditing: (on: boolean) => void
  /** Called with the id of a new item. */
  onCreated: (id: number) => void
  onClose: () => void
}

/** A news item in the side panel: read, edit or create. */
export function NewsPanel({ id, editing, onEditing, onCreated, onClose }: Props) {
  const go = useGo()
  const hasPage = pageAllowed(pageByKey('newsItem'), useActor())
  const mayEdit = useCan('update', News)
  const isNew = id === 'new'
  const full = () => void go({ page: 'newsItem', params: { id }, search: editing ? { edit: true } : {} })
  return (
    <SidePanel
      opened
      onClose={onClose}
      title={isNew ? 'Новая новость' : editing ? 'Изменение новости' : 'Новость'}
      onOpenFull={hasPage && !isNew ? full : undefined}
    >
      {isNew ? (
        <NewsForm onSaved={onCreated} onCancel={onClose} onRemoved={onClose} />
      ) : (
        <Item key={id} id={id} editing={editing && mayEdit} onEditing={onEditing} onClose={onClose} />
      )}
    </SidePanel>
  )
}

function Item({ id, editing, onEditing, onClose }: Omit<Props, 'id' | 'onCreated'> & { id: number }) {
  const { data: news, isMissing, error, refetch } = useOpenNews(id)
  if (isMissing)
    return <EmptyState icon={IconNewsOff} title="Новость не найдена" text="Её удалили или сняли с публикации." />
  if (!news && error) return <ErrorState title="Новость не загрузилась" error={error} onRetry={() => void refetch()} />
  if (!news) return <LinesSkeleton lines={8} />
  if (!editing) return <NewsView news={news} onEdit={() => onEditing(true)} onRemoved={onClose} />
  return <NewsForm news={news} onSaved={() => onEditing(false)} onCancel={() => onEditing(false)} onRemoved={onClose} />
}
