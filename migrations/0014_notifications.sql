CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`content` text,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`try_at` integer,
	`http_status` integer,
	`answer` text,
	`done_at` integer
);
--> statement-breakpoint
CREATE INDEX `deliveries_by_subscription` ON `deliveries` (`subscription_id`);--> statement-breakpoint
CREATE INDEX `deliveries_by_try` ON `deliveries` (`try_at`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`application_id` integer NOT NULL,
	`name` text NOT NULL,
	`rule` text NOT NULL,
	`target` text NOT NULL,
	`telegram_id` integer,
	`sealed_secret` text,
	`origin` text NOT NULL,
	`next_at` integer,
	`snoozed_until` integer,
	`problem` text,
	`state` text NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `subscriptions_by_application` ON `subscriptions` (`application_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_by_next` ON `subscriptions` (`next_at`);