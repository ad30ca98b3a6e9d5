/** The routes of GitHub's REST API, as its documentation lists them: each pattern is followed by its methods. */
const TABLE = `
/applications/:client/tokens/:token GET DELETE  /authorizations GET POST  /authorizations/:id GET PATCH DELETE
/authorizations/clients/:client PUT  /emojis GET  /events GET  /feeds GET  /gists GET POST  /gists/public GET
/gists/starred GET  /gists/:id GET PATCH DELETE  /gists/:id/commits GET  /gists/:id/forks GET POST
/gists/:id/star GET PUT DELETE  /gists/:id/comments GET POST  /gists/:id/comments/:comment GET PATCH DELETE
/gitignore/templates GET  /gitignore/templates/:name GET  /issues GET  /licenses GET  /licenses/:license GET
/markdown POST  /markdown/raw POST  /meta GET  /networks/:owner/:repo/events GET  /notifications GET PUT
/notifications/threads/:id GET PATCH  /notifications/threads/:id/subscription GET PUT DELETE  /organizations GET
/orgs/:org GET PATCH  /orgs/:org/events GET  /orgs/:org/hooks GET POST  /orgs/:org/hooks/:hook GET PATCH DELETE
/orgs/:org/hooks/:hook/pings POST  /orgs/:org/issues GET  /orgs/:org/members GET  /orgs/:org/members/:user GET DELETE
/orgs/:org/memberships/:user GET PUT DELETE  /orgs/:org/public_members GET
/orgs/:org/public_members/:user GET PUT DELETE  /orgs/:org/repos GET POST  /orgs/:org/teams GET POST  /rate_limit GET
/repos/:owner/:repo GET PATCH DELETE  /repos/:owner/:repo/assignees GET  /repos/:owner/:repo/assignees/:user GET
/repos/:owner/:repo/branches GET  /repos/:owner/:repo/branches/:branch GET
/repos/:owner/:repo/branches/:branch/protection GET PUT DELETE  /repos/:owner/:repo/collaborators GET
/repos/:owner/:repo/collaborators/:user GET PUT DELETE  /repos/:owner/:repo/comments GET
/repos/:owner/:repo/comments/:comment GET PATCH DELETE  /repos/:owner/:repo/commits GET
/repos/:owner/:repo/commits/:sha GET  /repos/:owner/:repo/commits/:sha/comments GET POST
/repos/:owner/:repo/commits/:sha/status GET  /repos/:owner/:repo/commits/:sha/statuses GET
/repos/:owner/:repo/contributors GET  /repos/:owner/:repo/deployments GET POST
/repos/:owner/:repo/deployments/:deployment/statuses GET POST  /repos/:owner/:repo/downloads GET
/repos/:owner/:repo/downloads/:download GET DELETE  /repos/:owner/:repo/events GET  /repos/:owner/:repo/forks GET POST
/repos/:owner/:repo/git/blobs POST  /repos/:owner/:repo/git/blobs/:sha GET  /repos/:owner/:repo/git/commits POST
/repos/:owner/:repo/git/commits/:sha GET  /repos/:owner/:repo/git/refs GET POST  /repos/:owner/:repo/git/tags POST
/repos/:owner/:repo/git/tags/:sha GET  /repos/:owner/:repo/git/trees POST  /repos/:owner/:repo/git/trees/:sha GET
/repos/:owner/:repo/hooks GET POST  /repos/:owner/:repo/hooks/:hook GET PATCH DELETE
/repos/:owner/:repo/hooks/:hook/tests POST  /repos/:owner/:repo/issues GET POST
/repos/:owner/:repo/issues/:number GET PATCH  /repos/:owner/:repo/issues/:number/comments GET POST
/repos/:owner/:repo/issues/:number/events GET  /repos/:owner/:repo/issues/:number/labels GET POST PUT DELETE
/repos/:owner/:repo/issues/:number/labels/:label DELETE  /repos/:owner/:repo/keys GET POST
/repos/:owner/:repo/keys/:key GET DELETE  /repos/:owner/:repo/labels GET POST
/repos/:owner/:repo/labels/:label GET PATCH DELETE  /repos/:owner/:repo/languages GET  /repos/:owner/:repo/merges POST
/repos/:owner/:repo/milestones GET POST  /repos/:owner/:repo/milestones/:number GET PATCH DELETE
/repos/:owner/:repo/milestones/:number/labels GET  /repos/:owner/:repo/notifications GET PUT
/repos/:owner/:repo/pages GET  /repos/:owner/:repo/pages/builds GET  /repos/:owner/:repo/pages/builds/latest GET
/repos/:owner/:repo/pulls GET POST  /repos/:owner/:repo/pulls/:number GET PATCH
/repos/:owner/:repo/pulls/:number/comments GET POST  /repos/:owner/:repo/pulls/:number/commits GET
/repos/:owner/:repo/pulls/:number/files GET  /repos/:owner/:repo/pulls/:number/merge GET PUT
/repos/:owner/:repo/readme GET  /repos/:owner/:repo/releases GET POST
/repos/:owner/:repo/releases/:release GET PATCH DELETE  /repos/:owner/:repo/releases/:release/assets GET
/repos/:owner/:repo/stargazers GET  /repos/:owner/:repo/stats/code_frequency GET
/repos/:owner/:repo/stats/commit_activity GET  /repos/:owner/:repo/stats/contributors GET
/repos/:owner/:repo/stats/participation GET  /repos/:owner/:repo/stats/punch_card GET
/repos/:owner/:repo/statuses/:sha POST  /repos/:owner/:repo/subscribers GET
/repos/:owner/:repo/subscription GET PUT DELETE  /repos/:owner/:repo/tags GET  /repos/:owner/:repo/teams GET
/repositories GET  /search/code GET  /search/issues GET  /search/repositories GET  /search/users GET
/teams/:team GET PATCH DELETE  /teams/:team/members GET  /teams/:team/members/:user GET PUT DELETE
/teams/:team/repos GET  /teams/:team/repos/:owner/:repo GET PUT DELETE  /user GET PATCH  /user/emails GET POST DELETE
/user/followers GET  /user/following GET  /user/following/:user GET PUT DELETE  /user/issues GET  /user/keys GET POST
/user/keys/:key GET DELETE  /user/memberships/orgs GET  /user/memberships/orgs/:org GET PATCH  /user/orgs GET
/user/repos GET POST  /user/starred GET  /user/starred/:owner/:repo GET PUT DELETE  /user/subscriptions GET
/user/subscriptions/:owner/:repo GET PUT DELETE  /user/teams GET  /users GET  /users/:user GET
/users/:user/events GET  /users/:user/events/public GET  /users/:user/events/orgs/:org GET  /users/:user/followers GET
/users/:user/following GET  /users/:user/following/:other GET  /users/:user/gists GET  /users/:user/keys GET
/users/:user/orgs GET  /users/:user/received_events GET  /users/:user/received_events/public GET
/users/:user/repos GET  /users/:user/starred GET  /users/:user/subscriptions GET
`;

/** A route of GitHub's API. */
export interface GithubRoute {
  readonly method: string;
  readonly pattern: string;
  /** The last parameter. The handler answers with it, or with the pattern where there is no parameter. */
  readonly last: string | undefined;
}

/** All routes of GitHub's API, more than two hundred. */
export const github: readonly GithubRoute[] = TABLE.trim().split(/\s+(?=\/)/).flatMap((line) => {
  const [pattern = "", ...methods] = line.split(" ");
  const last = pattern.match(/:\w+/g)?.at(-1)?.slice(1);
  return methods.map((method) => ({ method, pattern, last }));
});
