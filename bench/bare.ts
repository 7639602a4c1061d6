/**
 * The yardstick of the engine: Fastify and pg without extras, hand-written SQL, PostgreSQL's JSON text sent as it is. No
 * engine, no checks except the bearer (looked up in a map, like a verified token in the product) and the body's shape; no
 * admission queue, headers, compression or log. Writes a record with its history line in one statement, like the product;
 * sends no events.
 * Visibility of tasks uses the product's SQL (areas/tasks/sight.ts), and counts have the same limit: the overhead of the
 * server around it is measured. Listens on BARE_PORT; uses BARE_DATABASE_URL.
 */
import fastify from 'fastify'
import pg from 'pg'
import { raw } from 'sql-template-tag'
import { type WebSocket, WebSocketServer } from 'ws'
import { taskSight } from '../apps/server/src/areas/tasks/sight.ts'

/** As in the product. */
const POOL_SIZE = 20

const pool = new pg.Pool({
  connectionString: process.env.BARE_DATABASE_URL,
  max: POOL_SIZE,
  keepAlive: true,
  idleTimeoutMillis: 60_000,
  statement_timeout: 30_000,
  options: '-c timezone=UTC -c datestyle=ISO -c jit=off',
})

/** Condition: the user of parameter `n` sees the row. */
const visibleTo = (n: number): string =>
  `not t."deleted" and exists (select 1 from ${taskSight.table} k where ${taskSight.of(raw('k'), raw('t')).text}
    and k."principal" = any(${mine(n)}) offset 0)`
const mine = (n: number): string => taskSight.principals(raw(`$${n}::bigint`)).text
const ALL = 'not t."deleted"'

const FIELDS =
  `"id", "name", "description", "importance", "isCompleted", "isWaitCheck", "isNeedChange", "isArchive", "isTemplate",
  "dateStart", "dateEnd", "dateWorkStart", "dateCompleted", "dateExpired", "dateCreate", "dateChange", "approvedAllChildrenTasks",
  "notificationDate", "notificationDescription", "notificationType", "notificationCustomRepeatType",
  "notificationCustomRepeatValue", "notificationTimeZone", "notificationNext", "notificationRound", "idUser", "idCover"`.replace(
    /"\w+"/g,
    't.$&',
  )
const COUNTS = `(select count(distinct m."idUser")::int from (
    select "idMember" from tasks_management_executors where "idTask" = t."id"
    union all select "idMember" from tasks_management_responsible where "idTask" = t."id"
  ) p join tasks_management_members m on m."id" = p."idMember" and not m."deleted") as "usersTotalCount",
  (select count(*)::int from tasks_management_task_files f where f."idTask" = t."id" and not f."deleted") as "filesCount"`
const LAST = 't."deleted", t."_version"'
const TASK = `${FIELDS}, ${COUNTS}, ${LAST}`

/** Values only in the answer of a single task, for the user of parameter `n`. @param all sees every task */
function counters(n: number, all: boolean): string {
  const sees = (id: string) =>
    all
      ? 'true'
      : `exists (select 1 from ${taskSight.table} k where k."idTask" = ${id} and ${taskSight.living(raw('k')).text}
    and k."principal" = any((select "of" from asking)::bigint[]) offset 0)`
  const linked = (type: string) =>
    `(select count(*)::int from tasks_management_entities e where e."idTask" = t."id" and e."type" = '${type}' and not e."deleted")`
  const list = `from tasks_management_entities e`
  const comments = `from tasks_management_comments c
    where c."type" = 'task' and c."idEntity" = t."id" and not c."deleted" and not c."isSystem"`
  const subtasks = `from tasks_management_subtasks s join tasks_management_tasks o on o."id" = s."idTask" and not o."deleted"
    where s."idParentTask" = t."id" and not s."deleted" and ${sees('s."idTask"')}`
  return `(select json_build_object('total', count(*)::int, 'complete', (count(*) filter (where i."isCheck"))::int)
    ${list} join tasks_management_check_lists l on l."id" = e."idEntity" and not l."deleted"
    join tasks_management_check_list_items i on i."idCheckList" = l."id" and not i."deleted"
    where e."idTask" = t."id" and e."type" = 'checklist' and not e."deleted") as "checkListCount",
  ${linked('clientlist')} as "clientListCount",
  (select count(distinct i."idCustomer")::int ${list}
    join tasks_management_client_list_items i on i."idClientList" = e."idEntity" and not i."deleted"
    where e."idTask" = t."id" and e."type" = 'clientlist' and not e."deleted") as "customersCount",
  ${linked('poll')} as "pollsCount",
  (select count(*)::int ${comments}) as "commentsCount",
  (select count(*)::int ${comments} and c."idUser" <> $${n} and c."id" > coalesce((
    select r."idComment" from tasks_management_comment_reads r
    where r."idUser" = $${n} and r."type" = 'task' and r."idEntity" = t."id"), 0)) as "numberOfUnreadComments",
  (select count(*)::int ${subtasks}) as "subtasksCount",
  (select count(*)::int ${subtasks} and o."isCompleted") as "subtasksCompletedCount",
  (select count(*)::int from tasks_management_subtasks s
    join tasks_management_tasks o on o."id" = s."idParentTask" and not o."deleted"
    where s."idTask" = t."id" and not s."deleted" and (s."canViewUpperTask" or ${sees('s."idParentTask"')})) as "parentTasksCount",
  ${linked('liveassist')} as "liveAssistCount",
  ${linked('lead')} as "leadsCount",
  exists (select 1 from tasks_management_watchers w where w."idTask" = t."id" and w."idUser" = $${n}) as "isWatched"`
}
const EXPANDED = `
  (select coalesce(json_agg(e order by e."id"), '[]') from (
    select "id", "idMember", "idTask", "_version" from tasks_management_executors where "idTask" = t."id"
  ) e) as "executors",
  (select coalesce(json_agg(g order by g."id"), '[]') from (
    select "id", "name", "color", "icon", "entityType", "idTask", "_version" from tasks_management_tags where "idTask" = t."id"
  ) g) as "tags"`

const VISIBLE_BY_QUERY = `not t."deleted" and exists (select 1 from ${taskSight.table} k
  where ${taskSight.of(raw('k'), raw('t')).text} and k."principal" = any((select "of" from asking)::bigint[]) offset 0)`
const view = (all: boolean) => `${all ? '' : `with asking("of") as materialized (select ${mine(2)})`}
  select row_to_json(x)::text as item from (
    select ${FIELDS}, ${COUNTS}, ${counters(2, all)}, ${LAST} from tasks_management_tasks t
    where t."id" = $1 and ${all ? ALL : VISIBLE_BY_QUERY}) x`

const page = (condition: string, more: string, limit: number) =>
  `
  with page as materialized (
    select t."id", t."dateCreate" from tasks_management_tasks t where ${condition}
    order by t."dateCreate" desc, t."id" desc limit ${limit + 1}
  ), shown as (select * from page order by "dateCreate" desc, "id" desc limit ${limit})
  select coalesce(json_agg(row_to_json(x) order by x."dateCreate" desc, x."id" desc), '[]')::text as items,
    (select count(*) > ${limit} from page) as more`
    .concat(more)
    .concat(`
  from (select ${TASK}${limit === LIST ? `, ${EXPANDED}` : ''} from shown join tasks_management_tasks t using ("id")) x`)

const LIST = 50
const SEARCH = 20
const MOST = 10_000
const count = (rows: string) => `, (select count(*)::int from (${rows} limit ${MOST + 1}) counted) as total`
const keptBy = (n: number): string => `select distinct k."idTask" from ${taskSight.table} k
  where ${taskSight.living(raw('k')).text} and k."principal" = any(${mine(n)})`

const insert = `with made as (
    insert into tasks_management_tasks as t ("name", "description", "importance", "idUser") values ($1, $2, $3, $4) returning *
  ), noted as (
    insert into history ("path", "idEntity", "action", "idUser", "changes", "version")
    select 'tasks-management/tasks', "id", 'create', $4, $5::jsonb, "_version" from made
  ) select row_to_json(x)::text as item from (
    select ${FIELDS}, 0 as "usersTotalCount", 0 as "filesCount", '{"total":0,"complete":0}'::json as "checkListCount",
      0 as "clientListCount", 0 as "customersCount", 0 as "pollsCount", 0 as "commentsCount",
      0 as "numberOfUnreadComments", 0 as "subtasksCount", 0 as "subtasksCompletedCount", 0 as "parentTasksCount",
      0 as "liveAssistCount", 0 as "leadsCount", false as "isWatched", ${LAST} from made t) x`

interface Person {
  id: number
  /** Bypasses the row scope. */
  all: boolean
}
const people = new Map<string, Person>()
const server = fastify()

server.get('/health', async () => ({ status: 'ok' }))
server.post('/people', async (request) => {
  const { token, id, all } = request.body as Person & { token: string }
  people.set(token, { id, all })
  return {}
})

const personOf = (header: string | undefined): Person => {
  const person = people.get(header?.slice(7) ?? '')
  if (!person) throw Object.assign(new Error('who?'), { statusCode: 401 })
  return person
}
const JSON_TYPE = 'application/json; charset=utf-8'

server.get<{ Params: { id: string } }>('/tasks-management/tasks/:id', async (request, reply) => {
  const { id, all } = personOf(request.headers.authorization)
  const { rows } = await pool.query(
    all
      ? { name: 'view-all', text: texts.viewAll, values: [request.params.id, id] }
      : { name: 'view', text: texts.view, values: [request.params.id, id] },
  )
  if (!rows[0]) return reply.code(404).send()
  return reply.type(JSON_TYPE).send(rows[0].item)
})

const texts = {
  view: view(false),
  viewAll: view(true),
  list: page(visibleTo(1), count(keptBy(1)), LIST),
  listAll: page(ALL, count(`select 1 from tasks_management_tasks t where ${ALL}`), LIST),
  search: page(`t."name" ilike $2 and ${visibleTo(1)}`, '', SEARCH),
  searchAll: page(`t."name" ilike $1 and ${ALL}`, '', SEARCH),
}

server.get<{ Querystring: Record<string, string> }>('/tasks-management/tasks', async (request, reply) => {
  const { id, all } = personOf(request.headers.authorization)
  const sought = request.query['filter[name][ilike]']
  if (sought !== undefined) {
    const pattern = `%${sought.replace(/[\\%_]/g, '\\$&')}%`
    const { rows } = await pool.query(
      all
        ? { name: 'search-all', text: texts.searchAll, values: [pattern] }
        : { name: 'search', text: texts.search, values: [id, pattern] },
    )
    const { items, more } = rows[0]
    return reply
      .type(JSON_TYPE)
      .send(`{"items":${items},"_meta":{"currentPage":1,"perPage":${SEARCH},"hasMore":${more}}}`)
  }
  const { rows } = await pool.query(
    all ? { name: 'list-all', text: texts.listAll } : { name: 'list', text: texts.list, values: [id] },
  )
  const { items, more, total } = rows[0]
  const totals =
    total > MOST
      ? `"totalCount":${MOST},"totalIsMore":true`
      : `"totalCount":${total},"pageCount":${Math.ceil(total / LIST)}`
  const meta = `"currentPage":1,"perPage":${LIST},"hasMore":${more},${totals}`
  return reply.type(JSON_TYPE).send(`{"items":${items},"_meta":{${meta}}}`)
})

server.post('/tasks-management/tasks', async (request, reply) => {
  const { id } = personOf(request.headers.authorization)
  const { name, description, importance } = request.body as Record<string, unknown>
  if (typeof name !== 'string' || name === '')
    return reply.code(422).send([{ field: 'name', message: 'Обязательное поле' }])
  const changes = JSON.stringify({
    name: [null, name],
    description: [null, description],
    importance: [null, importance],
  })
  const { rows } = await pool.query({
    name: 'insert',
    text: insert,
    values: [name, description, importance, id, changes],
  })
  return reply.code(201).type(JSON_TYPE).send(rows[0].item)
})

/* ---- the bare websocket ---- */

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const listeners = new Set<WebSocket>()
server.server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (client) => {
    listeners.add(client)
    client.on('close', () => listeners.delete(client))
    // Answers the subscription, like the product.
    client.on('message', () => client.send('{"action":"addListener"}'))
  })
})
server.post('/broadcast', async (request) => {
  const bytes = Buffer.from(JSON.stringify(request.body))
  for (const client of listeners) client.send(bytes, { binary: false })
  return { sent: listeners.size }
})

process.on('SIGTERM', () => {
  for (const client of listeners) client.terminate()
  server.server.closeAllConnections()
  process.exit(0)
})
await server.listen({ port: Number(process.env.BARE_PORT), host: '127.0.0.1' })
