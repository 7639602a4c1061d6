import type { Queryable } from '#platform/db.ts'

/** Number of a person's unread notices, shown on the bell. */
export async function unreadCount(db: Queryable, idUser: number): Promise<number> {
  const found = await db.one<{ n: number }>({
    name: 'notifications-unread',
    text: 'select count(*)::int as n from notifications where "idUser" = $1 and "dateRead" is null and not deleted',
    values: [idUser],
  })
  return found?.n ?? 0
}
