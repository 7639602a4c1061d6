/**
 * Bring a friend. A patient's code brings a card that is new; after the friend's first paid visit both get bonuses, each
 * once, and lose them if the visit is refunded. Whether the friend is new is looked at when they come and again when the
 * reward is due: cards that were joined meanwhile are known by then.
 */
import { randomInt } from 'node:crypto'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { DONE } from '@ordinator/model/areas/money/payment'
import { kopecks } from '@ordinator/model/areas/money/rules'
import { outsideCalls } from '@ordinator/model/areas/outside/calls'
import { INVITE_LENGTH, INVITE_LETTERS, Invite, InviteCode } from '@ordinator/model/areas/outside/invite'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { dayOf, giveBonuses, lockCustomers, takeBonusesBack } from '#areas/money/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'

/** Rows of one pass; the rest waits for the next. */
const MOST = 200
/** Days in which a refund takes the reward back. */
const TAKEN_WITHIN = 180

/** The code of a patient; made when it is first asked for. */
export const codeOf = (app: AppContext, idCustomer: number): Promise<string> =>
  app.engine.for(systemActor).tx(async ({ asSystem }, tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`invite code ${idCustomer}`}, 0))`)
    const known = await tx.one<{ code: string }>(
      sql`select "code" from invite_codes where "idCustomer" = ${idCustomer} order by "id" limit 1`,
    )
    if (known) return known.code
    for (;;) {
      const code = Array.from({ length: INVITE_LENGTH }, () => INVITE_LETTERS[randomInt(INVITE_LETTERS.length)]).join(
        '',
      )
      if (await tx.one(sql`select 1 from invite_codes where upper("code") = ${code}`)) continue
      await asSystem.create(InviteCode, { idCustomer, code })
      return code
    }
  })

interface Shown {
  code: string
  /** Bonuses of each for a friend; 0: the clinic gives none. */
  reward: number
  gift: number
  mostInYear: number
  friends: { state: string; sum: number | null; day: string }[]
}

/** What a patient sees of those whom they brought: states and sums, and no names. */
export async function invitesOf(app: AppContext, idCustomer: number): Promise<Shown> {
  const { friendReward, friendGift, friendMostInYear } = await readCommonSettings(app.db)
  const friends = await app.db.query<Shown['friends'][number]>(sql`
    select i."state", i."rewardInviter"::float8 as sum, to_char(i."dateCreate", 'YYYY-MM-DD') as day from invites i
    where i."idInviter" = ${idCustomer} order by i."id" desc limit ${MOST}`)
  return {
    ...{ code: await codeOf(app, idCustomer), reward: friendReward, gift: friendGift },
    ...{ mostInYear: friendMostInYear, friends },
  }
}

/** @returns the invitation; undefined: the code is unknown, or the clinic gives no rewards */
export async function noteFriend(
  { asSystem }: Records,
  tx: Tx,
  { code, idFriend }: { code: string; idFriend: number },
): Promise<number | undefined> {
  const { friendReward, friendGift } = await readCommonSettings(tx)
  if (friendReward + friendGift === 0) return undefined
  const inviter = await tx.one<{ id: number }>(sql`
    select c."id"::int as id from invite_codes k join customers c on c."id" = k."idCustomer" and not c."deleted"
      and c."dateDeath" is null where upper(k."code") = upper(${code})`)
  if (!inviter) return undefined
  await lockCustomers(tx, [inviter.id, idFriend])
  const before = await tx.one<{ id: number }>(
    sql`select "id"::int as id from invites where "idFriend" = ${idFriend} limit 1`,
  )
  if (before) return before.id
  const { id } = await asSystem.create(Invite, { idInviter: inviter.id, idFriend })
  const reason = await whyNot(tx, id)
  if (reason) await asSystem.update(Invite, id, { state: 'refused', reason })
  return id
}

const inviteCode = operation(outsideCalls.inviteCode, async ({ app, records, params: { id } }) => {
  await records.mustOpen(Customer, id)
  return { code: await codeOf(app, id) }
})

const invite = operation(outsideCalls.invite, async ({ records, params: { id }, body }) => {
  await records.mustOpen(Customer, id)
  return records.tx(async (inside, tx) => {
    const noted = await noteFriend(inside, tx, { code: body.code, idFriend: id })
    if (noted === undefined)
      throw new ValidationError([{ field: 'code', message: 'Такого кода нет, или приглашения выключены в настройках' }])
    const { state, reason } = await inside.asSystem.row(Invite, noted)
    return { state, reason }
  })
})

export const inviteOperations = [inviteCode, invite]

/** Net rubles that a patient has paid. */
const paidSql = (
  idCustomer: Sql,
): Sql => sql`(select coalesce(sum(case when p."kind" = 'refund' then -p."sum" else p."sum" end), 0)
  from payments p where p."idCustomer" = ${idCustomer} and p."idStatus" = ${DONE})`

/** Why the friend of an invitation is not a new patient, or the inviter may have no more; undefined: they are new. */
async function whyNot(db: Queryable, id: number): Promise<string | undefined> {
  const { friendMostInYear } = await readCommonSettings(db)
  const facts = await db.one<
    Record<'same' | 'phone' | 'name' | 'older' | 'before' | 'gone', boolean> & { rewarded: number }
  >(sql`
    select i."idFriend" = i."idInviter" as same,
      f."deleted" or n."deleted" or n."dateDeath" is not null as gone,
      f."phone" is not null and exists (select from customers c where c."id" <> f."id" and c."phone" = f."phone") as phone,
      exists (select from customers c where c."id" <> f."id" and f."birthday" is not null and c."birthday" = f."birthday"
        and lower(c."surname") = lower(f."surname") and lower(c."name") = lower(f."name")) as name,
      f."dateCreate" < i."dateCreate" - interval '1 day' as older,
      exists (select from appointments a where a."idCustomer" = f."id"
          and not a."deleted" and coalesce(a."dateCompleted", a."dateFrom") < i."dateCreate" and a."visitStatus" = 'completed')
        or exists (select from payments p where p."idCustomer" = f."id" and p."idStatus" = ${DONE} and p."dateCreate" < i."dateCreate") as before,
      (select count(*)::int from invites o where o."idInviter" = i."idInviter" and o."state" = 'rewarded'
        and o."dateRewarded" >= date_trunc('year', now())) as rewarded
    from invites i join customers f on f."id" = i."idFriend" join customers n on n."id" = i."idInviter" where i."id" = ${id}`)
  if (!facts || facts.gone) return 'Карты больше нет'
  if (facts.same) return 'Пациент пригласил сам себя'
  if (facts.before) return 'Пациент уже бывал в клинике'
  if (facts.older) return 'Карта заведена раньше приглашения'
  if (facts.phone) return 'С этим телефоном уже есть карта'
  if (facts.name) return 'Карта с таким именем и датой рождения уже есть'
  if (facts.rewarded >= friendMostInYear) return `За год начислено уже за ${friendMostInYear}: больше не начисляем`
  return undefined
}

export function startInvites(app: AppContext): void {
  app.jobs.register('outside.invites', {
    cron: '*/5 * * * *',
    async handler(_data, { signal }) {
      await oneByOne(app, 'outside.invites', await paidFriends(app.db), ({ id }) => reward(app, id), signal)
      await oneByOne(app, 'outside.invites', await refundedFriends(app.db), ({ id }) => takeBack(app, id), signal)
    },
  })
}

const paidFriends = async (db: Queryable): Promise<{ id: number }[]> => {
  const { friendLeastPaid } = await readCommonSettings(db)
  return db.query(sql`
    select i."id"::int as id from invites i where i."state" = 'waits' and ${paidSql(raw('i."idFriend"'))} >= ${Math.max(friendLeastPaid, 0.01)}
      and exists (select from appointments a where a."idCustomer" = i."idFriend" and a."visitStatus" = 'completed' and not a."deleted")
    order by i."id" limit ${MOST}`)
}

const refundedFriends = async (db: Queryable): Promise<{ id: number }[]> => {
  const { friendLeastPaid } = await readCommonSettings(db)
  return db.query(sql`
    select i."id"::int as id from invites i where i."state" = 'rewarded'
      and i."dateRewarded" > now() - make_interval(days => ${TAKEN_WITHIN})
      and exists (select from payments p where p."idCustomer" = i."idFriend" and p."kind" = 'refund' and p."dateCreate" >= i."dateRewarded")
      and ${paidSql(raw('i."idFriend"'))} < ${Math.max(friendLeastPaid, 0.01)}
    order by i."id" limit ${MOST}`)
}

/** Both cards are locked for money, in one order; the invitation is read under the lock. */
const lockedIn = async (tx: Tx, records: Records, id: number, state: 'waits' | 'rewarded') => {
  const { idInviter, idFriend } = await records.asSystem.row(Invite, id)
  await lockCustomers(tx, [idInviter, idFriend])
  const row = await records.asSystem.row(Invite, id)
  return row.state === state && row.idInviter === idInviter && row.idFriend === idFriend ? row : undefined
}

const reward = (app: AppContext, id: number): Promise<void> =>
  app.engine.for(systemActor).tx(async (records, tx) => {
    const row = await lockedIn(tx, records, id, 'waits')
    if (!row) return
    const reason = await whyNot(tx, id)
    if (reason) return void (await records.asSystem.update(Invite, id, { state: 'refused', reason }))
    const { friendReward, friendGift, friendLifeDays } = await readCommonSettings(tx)
    const dateFrom = await dayOf(tx, null)
    const days = { dateFrom, dateTo: friendLifeDays === 0 ? null : plusDays(dateFrom, friendLifeDays) }
    const give = (idCustomer: number, sum: number, comment: string) =>
      sum === 0
        ? null
        : giveBonuses(records, tx, {
            idCustomer,
            kind: 'invited',
            sum: kopecks(sum),
            ...days,
            comment,
            reason: comment,
          })
    await records.asSystem.update(Invite, id, {
      ...{ state: 'rewarded', rewardInviter: friendReward, rewardFriend: friendGift },
      idBonusInviter: await give(row.idInviter, friendReward, 'За приглашённого друга'),
      idBonusFriend: await give(row.idFriend, friendGift, 'По приглашению друга'),
      dateRewarded: new Date().toISOString(),
    })
  })

const takeBack = (app: AppContext, id: number): Promise<void> =>
  app.engine.for(systemActor).tx(async (records, tx) => {
    const row = await lockedIn(tx, records, id, 'rewarded')
    if (!row) return
    const comment = 'Первый визит приглашённого друга возвращён'
    for (const [idBonus, sum] of [
      [row.idBonusInviter, row.rewardInviter],
      [row.idBonusFriend, row.rewardFriend],
    ] as const)
      if (idBonus !== null && sum !== null && sum > 0)
        await takeBonusesBack(records, tx, idBonus, kopecks(sum), comment)
    await records.asSystem.update(Invite, id, { state: 'taken', reason: comment })
  })
