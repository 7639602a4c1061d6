import { SitePage } from '@ordinator/model/areas/site/page'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { IconWorldOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { useCan } from '#records/Can.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { RemoveItem } from '#records/RemoveItem.tsx'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { useRemove } from '#records/writes.ts'
import { Constructor } from './Constructor.tsx'
import { PageVersions } from './PageVersions.tsx'
import { SiteLink } from './SiteLink.tsx'

type Page = Row<typeof SitePage>

/** State of a page between draft and site, as text. */
export const stateOf = ({ publishedNumber, isChanged, slug, isHome }: Page): string =>
  [
    isHome ? 'Главная' : slug ? `/${slug}` : 'без адреса',
    publishedNumber === null
      ? 'не опубликована'
      : `на сайте версия ${publishedNumber}${isChanged ? ', есть неопубликованные правки' : ''}`,
  ].join(' · ')

/** Страница сайта: blocks, name and address, versions. */
export default function ClientPagePage() {
  return (
    <RegistryRecordPage
      entity={SitePage}
      list={pageByKey('clientPages')}
      help={stateOf}
      main={{ label: 'Блоки', panel: (page) => <Constructor page={page} /> }}
      tabs={{ versions: { label: 'Версии', panel: (page) => <PageVersions page={page} /> } }}
      actions={(page) => <Actions page={page} />}
      saved="Сохранено в черновике: опубликуйте, чтобы увидели посетители"
    />
  )
}

function Actions({ page }: { page: Page }) {
  const go = useGo()
  const remove = useRemove(SitePage)
  const cache = useQueryClient()
  const mayEdit = useCan('update', SitePage)
  const takeOff = async () => {
    const yes = await confirm({
      title: 'Снять страницу с сайта?',
      message: 'Посетители перестанут её видеть. Черновик и версии останутся.',
      confirm: 'Снять',
    })
    if (!yes) return
    await api('POST /client/pages/:id/unpublish', { params: { id: page.id } })
      .then(async () => {
        await cache.invalidateQueries({ queryKey: [SitePage.path] })
        notify.success('Страница снята с сайта')
      })
      .catch(notifyFailure)
  }
  return (
    <>
      {page.publishedNumber !== null && <SiteLink path={page.slug ? `/${page.slug}` : ''} />}
      {mayEdit && !page.isHome && (
        <ActionMenu label="Действия со страницей" variant="default">
          {page.publishedNumber !== null && (
            <MenuItem label="Снять с сайта" icon={IconWorldOff} onClick={() => void takeOff()} />
          )}
          <RemoveItem
            entity={SitePage}
            row={page}
            label="Удалить страницу"
            onRemove={() =>
              remove.mutate(page.id, { onSuccess: () => void go({ page: 'clientPages' }, { replace: true }) })
            }
          />
        </ActionMenu>
      )}
    </>
  )
}
