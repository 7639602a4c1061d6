/** Every port of the network, all on loopback. */
export const HOST = '127.0.0.1'

const three = (first: number) => [first, first + 1, first + 2] as const

export const PORTS = {
  /** The page of the network. */
  page: 17000,
  /** The balancer for people. */
  web: 17080,
  webMetrics: 17081,
  servers: three(17091),
  etcd: three(17101),
  etcdPeers: three(17111),
  bases: three(17201),
  patroni: three(17211),
  poolers: three(17221),
  /** The balancer for the servers: the primary, a replica, Redis. */
  primary: 17231,
  replica: 17232,
  redis: 17233,
  baseMetrics: 17234,
  redisNodes: [17301, 17302],
  sentinels: three(17311),
  s3: 17401,
  prometheus: 17501,
} as const

export const at = (port: number): string => `${HOST}:${port}`
