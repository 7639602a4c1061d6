import type { performing } from '@ordinator/model/areas/catalogue/service'
import { PageLink } from '#base/PageLink.tsx'
import { Muted } from '#kit/Words.tsx'

interface Props {
  id: number
  by: keyof typeof performing | null
}

/** Who performs a service whose doctors are not named; nobody: with the way to name them. */
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
