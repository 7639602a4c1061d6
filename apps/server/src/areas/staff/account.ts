import { type CommonSettings, commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { staffCalls } from '@ordinator/model/areas/staff/calls'
import { User } from '@ordinator/model/areas/staff/user'
import { unreadCount } from '#areas/notifications/index.ts'
import { readCommonSettings, readUserSettings } from '#areas/settings/index.ts'
import { markActive } from '#auth/index.ts'
import { cursorNow } from '#realtime/index.ts'
import { badgesOf } from '#records/badges.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'

/** The signed-in user, and the clinic's data for the shell (spec §7). */
export const accountOperation = operation(staffCalls.account, async ({ app, actor, records }) => {
  const cursor = await cursorNow(app.db)
  const [identity, roles, mine, settings, common, notifications, awaiting] = await Promise.all([
    records.row(User, actor.id),
    app.db.query<{ id: number; name: string }>({
      name: 'account-roles',
      text: 'select r.id, r.name from roles r join user_roles ur on ur."idRole" = r.id where ur."idUser" = $1 order by r.name',
      values: [actor.id],
    }),
    app.db.one<{ login: string; menuChosen: boolean }>({
      name: 'account-login',
      text: `select login, exists (select 1 from user_settings s where s."idUser" = $1 and s."name" = 'main'
        and not s."deleted" and s."value" ? 'pinLeftMenu') as "menuChosen" from users where id = $1`,
      values: [actor.id],
    }),
    readUserSettings(app.db, actor.id),
    readCommonSettings(app.db),
    unreadCount(app.db, actor.id),
    badgesOf(app.registry, records),
    markActive(app.db, actor.id, actor.idSession),
  ])
  const shown = Object.entries(common).filter(([name]) => commonSettings[name as keyof typeof commonSettings].public)
  return {
    user: {
      identity: { ...identity, login: mine?.login as string },
      roles,
      specials: {
        mustChangePassword: actor.mustChangePassword === true,
        mustAddFactor: actor.mustAddFactor === true,
        menuChosen: mine?.menuChosen === true,
      },
      permissions: actor.permissions,
      ...(actor.onlyFilials && { onlyFilials: [...actor.onlyFilials] }),
      badges: { ...awaiting, notifications },
      settings,
      timeZone: actor.timeZone,
      hash: identity.hash,
    },
    cursor,
    common: {
      settings: Object.fromEntries(shown) as Partial<CommonSettings>,
      tariff: common.tariff,
      additionalServices: common.additionalServices,
      telephony: app.config.amiUrl !== undefined || common.telephonyProvider !== 'off',
      ...(actor.permissions.mainSettings && (await isNew(app)) && { isNew: true }),
      ...(app.config.training && { training: true }),
      ...(app.config.demo && { demo: (await app.db.one({ text: 'select 1 from demo_clinic' })) !== undefined }),
    },
  }
})

const received = new WeakSet<AppContext>()

/** Whether the clinic has no visits yet. Queried until the first one, and cached afterwards. */
async function isNew(app: AppContext): Promise<boolean> {
  if (received.has(app)) return false
  const visit = await app.db.one({
    text: `select 1 from appointments where "visitStatus" = 'completed' and not "deleted" limit 1`,
  })
  if (visit) received.add(app)
  return visit === undefined
}

export const badgesOperation = operation(staffCalls.badges, async ({ app, actor, records }) => {
  const [awaiting, notifications] = await Promise.all([badgesOf(app.registry, records), unreadCount(app.db, actor.id)])
  return { ...awaiting, notifications }
})
