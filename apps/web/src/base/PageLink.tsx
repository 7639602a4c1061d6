import type { PageKey } from '@ordinator/model/pages'
import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { routeTo, type To } from './address.ts'

type Props = Omit<ComponentProps<'a'>, 'href'> & { resetScroll?: boolean }

/** A link to a page of the page list: `<PageLink page="tasks" search={{ board: 5 }}>`; without `page`, the current one. */
export function PageLink<K extends PageKey>({ page, params, search, ...rest }: To<K> & Props) {
  return <Link {...rest} {...routeTo({ page, params, search })} />
}
