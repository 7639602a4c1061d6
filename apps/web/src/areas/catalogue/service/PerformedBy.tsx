import type { performing } from '@ordinator/model/areas/catalogue/service'
import { PageLink } from '#base/PageLink.tsx'
import { Muted } from '#kit/Words.tsx'

interface Props {
  id: number
  by: keyof typeof performing | null
}

/** Performers of a service without named doctors; if there are none, a link to assign them. */
export function PerformedBy({ id, by }: Props) {
  if (by === 'any') return <p>Может любой врач</p>
  if (by === 'speciality') return <p>Врачи той специальности, что указана у группы</p>
  return (
    <Muted component="p">
      Никто: на услугу не записать.{' '}
      <PageLink page="serviceUsers" search={{ id }}>
        Назначьте исполнителей
      </PageLink>
    </Muted>
  )
}
