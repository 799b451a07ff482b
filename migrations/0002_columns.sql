CREATE TABLE `changes` (
	`application_id` integer NOT NULL,
	`objects` integer NOT NULL,
	`part` integer NOT NULL,
	`hour` integer NOT NULL,
	`name_id` integer NOT NULL,
	`from_time` integer NOT NULL,
	`to_time` integer NOT NULL,
	`mark` integer NOT NULL,
	`marked_at` integer NOT NULL,
	PRIMARY KEY(`application_id`, `objects`, `part`, `hour`, `name_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `layouts` (
	`application_id` integer NOT NULL,
	`objects` integer NOT NULL,
	`retired_at` integer,
	PRIMARY KEY(`application_id`, `objects`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `applications` ADD `objects` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
-- The objects know nothing yet: every application with events gets a change of all names and all time, as old as the oldest
-- one that its figures wait for.
INSERT INTO `changes`
SELECT n.`application_id`, 1, 0, -1, 0, 0, 8640000000000000, 1, coalesce(
	(SELECT min(d.`marked_at`) FROM `dirty_days` AS d WHERE d.`application_id` = n.`application_id`),
	unixepoch() * 1000
)
FROM (SELECT DISTINCT `application_id` FROM `event_names`) AS n;
--> statement-breakpoint
CREATE TABLE `new_daily_figures` (
	`application_id` integer NOT NULL,
	`day` integer NOT NULL,
	`objects` integer NOT NULL,
	`part` integer NOT NULL,
	`active_users` integer NOT NULL,
	`monthly_active_users` integer NOT NULL,
	`new_users` integer NOT NULL,
	`premium_users` integer NOT NULL,
	`non_premium_users` integer NOT NULL,
	`events` integer NOT NULL,
	PRIMARY KEY(`application_id`, `day`, `objects`, `part`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `new_daily_figures`
SELECT `application_id`, `day`, 1, 0, `active_users`, `monthly_active_users`, `new_users`, `premium_users`, `non_premium_users`, `events`
FROM `daily_figures`;
--> statement-breakpoint
DROP TABLE `daily_figures`;--> statement-breakpoint
ALTER TABLE `new_daily_figures` RENAME TO `daily_figures`;--> statement-breakpoint
DROP TABLE `dirty_days`;--> statement-breakpoint
DROP TABLE `user_days`;
