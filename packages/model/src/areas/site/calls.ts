import { z } from 'zod'
import { call, idParams, rowOf } from '../../call.ts'
import { uploadCall } from '../files/calls.ts'
import { siteAccess } from './access.ts'
import { SiteFile, SitePage } from './page.ts'

export const siteCalls = {
  uploadFile: uploadCall(SiteFile),
  publish: call({
    method: 'POST',
    path: '/client/pages/:id/publish',
    summary: 'Опубликовать черновик страницы: новая версия, которую видят посетители',
    access: siteAccess.update,
    params: idParams,
    body: z.strictObject({ _version: z.int() }),
    answer: rowOf(SitePage),
  }),
  unpublish: call({
    method: 'POST',
    path: '/client/pages/:id/unpublish',
    summary: 'Снять страницу с сайта: черновик и версии остаются',
    access: siteAccess.update,
    params: idParams,
    answer: rowOf(SitePage),
  }),
  restore: call({
    method: 'POST',
    path: '/client/pages/:id/restore',
    summary: 'Взять в черновик содержание прежней версии (number)',
    access: siteAccess.update,
    params: idParams,
    body: z.strictObject({ number: z.int().min(1), _version: z.int() }),
    answer: rowOf(SitePage),
  }),
  preview: call({
    method: 'POST',
    path: '/client/preview',
    summary: 'Страница, какой её увидят посетители: готовый HTML черновика; ничего не записывается',
    access: siteAccess.view,
    body: z.strictObject({
      title: z.string().max(160),
      blocks: z.array(z.unknown()).max(100),
      isHome: z.boolean().default(false),
    }),
    answer: z.object({ html: z.string() }),
  }),
  checkList: call({
    method: 'GET',
    path: '/client/check-list',
    summary: 'Что клиника обязана разместить на сайте и что из этого размещено',
    access: siteAccess.view,
    answer: z.object({
      /** Public address of the site. */
      address: z.string(),
      isActive: z.boolean(),
      items: z.array(
        z.object({
          key: z.string(),
          label: z.string(),
          how: z.string(),
          source: z.string(),
          isPlaced: z.boolean(),
        }),
      ),
    }),
  }),
}
